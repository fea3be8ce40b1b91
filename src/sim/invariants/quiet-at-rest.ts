import { count, some } from '../base/text.ts';
import type { StepKind } from '../model/plan.ts';
import type { RecordedRun, StepRecord } from '../model/recorded-run.ts';
import { verdictOf } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { seconds } from './lifetimes.ts';

/** What the operator must react to, although every milestone may hold all the time: when it has done so is not known. */
const DISTURBING: ReadonlySet<StepKind> = new Set<StepKind>([
  'restart',
  'taint',
  'untaint',
  'fault',
  'heal',
]);

export const quietAtRest: Invariant = {
  code: 'INV013',
  title:
    "At rest nothing is written: no object of the operator's kinds changes while a step settles",
  why: 'A controller that writes without cause loads the API server for ever, on every cluster it runs in.',
  when: 'settled',
  needs:
    'a step that settled after nodes or pods came or went: what follows a restart, an exit, a taint or a fault is no rest',
  check({ steps, controllerEvents }) {
    const settled = steps.filter(
      (step) =>
        step.outcome === 'converged' &&
        !DISTURBING.has(step.plan.kind) &&
        !hasCrash(step, controllerEvents),
    );
    const findings = settled.flatMap(({ plan, unrest }) => {
      const [first] = unrest;
      if (!first) return [];
      const objects = [...new Set(unrest.map(({ object }) => object))];
      return [
        {
          message: `${count(unrest.length, 'write')} at rest after ${plan.name}, first at ${seconds(first.atMs)}: ${some(objects)}`,
          atMs: first.atMs,
          objects,
        },
      ];
    });
    return verdictOf(settled.length, findings, 'no step settled but restarts, taints and faults');
  },
};

/** Whether the controller exited unasked in the step, or was started again after that: the exit is INV012's to tell. */
const hasCrash = ({ begin, end }: StepRecord, events: RecordedRun['controllerEvents']): boolean =>
  events.some(
    ({ event, asked, atMs }) =>
      (event === 'started' || (event === 'exited' && asked !== true)) &&
      begin !== undefined &&
      atMs >= begin.atMs &&
      (end === undefined || atMs <= end.atMs),
  );
