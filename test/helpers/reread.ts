import { RunFold } from '../../src/sim/ledger/run-fold.ts';
import { parseHistoryLine } from '../../src/sim/model/history.ts';
import type { RecordedRun } from '../../src/sim/model/recorded-run.ts';
import { plannedFor } from './planned-scenario.ts';
import type { HistoryBuilder } from './history-builder.ts';

/** What `sim judge` makes of the recording: the scenario from its header, the plan from the scenario, and the fold. */
export function reread(history: HistoryBuilder): RecordedRun {
  const [first, ...others] = history.toLines().map(parseHistoryLine);
  if (!first || !('known' in first) || first.known.kind !== 'header')
    throw new Error('the recording does not begin with a header');
  const { plan, model } = plannedFor(history.planned.profile, first.known.scenario.source);
  const fold = new RunFold(plan, model);
  for (const line of [first, ...others])
    if ('known' in line) fold.apply(line.known);
    else fold.passOver(line.unknown, line.seq);
  return fold.result();
}

/** A recorded run as plain values, so that two can be compared. */
export const plainRun = ({ ledger, ...run }: RecordedRun): unknown => ({
  ...run,
  ledger: { ...ledger, facts: undefined, allFacts: ledger.allFacts() },
});
