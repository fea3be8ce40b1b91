import { ascending } from '../base/nearest-rank.ts';
import { roundMs } from '../base/units.ts';
import { RECOVERY } from '../model/metric.ts';
import type { RecordedRun, StepRecord } from '../model/recorded-run.ts';

/** Times of single events, sorted, and how many never came to their end. */
export interface EventTimes {
  readonly known: readonly number[];
  readonly unfinished: number;
}

/** The samples of `recovery`, `allocate` and `deallocate` in a step, in milliseconds. */
export function eventTimes(metric: string, { plan }: StepRecord, run: RecordedRun): EventTimes {
  const times = metric === RECOVERY ? recoveries(plan.name, run) : answers(metric, plan.name, run);
  const known = ascending(times.flatMap((time) => (time === undefined ? [] : roundMs(time))));
  return { known, unfinished: times.length - known.length };
}

const recoveries = (step: string, { disturbances }: RecordedRun): readonly (number | undefined)[] =>
  disturbances
    .filter(({ endStep }) => endStep === step)
    .map(({ endMs, wholeMs }) =>
      endMs === undefined || wholeMs === undefined ? undefined : wholeMs - endMs,
    );

/** A request that got nothing has no time: it counts as slower than all others. */
const answers = (verb: string, step: string, run: RecordedRun): readonly (number | undefined)[] =>
  allocationsOf(verb, step, run).map(({ status, latencyMs }) =>
    status === 'failed' || (verb === 'allocate' && status === 'empty') ? undefined : latencyMs,
  );

export const allocationsOf = (
  verb: string,
  step: string,
  { allocations }: RecordedRun,
): RecordedRun['allocations'] =>
  allocations.filter((one) => one.verb === verb && one.step === step);

/** `allocate.retries`, `allocate.partial`, `allocate.failed` (without any address) of a step. */
export function tally(metric: string, { plan }: StepRecord, run: RecordedRun): number {
  const asked = allocationsOf('allocate', plan.name, run);
  switch (metric) {
    case 'allocate.retries':
      return asked.reduce((sum, { retries }) => sum + retries, 0);
    case 'allocate.partial':
      return asked.filter(({ status }) => status === 'partial').length;
    default:
      return asked.filter(({ status }) => status === 'failed' || status === 'empty').length;
  }
}
