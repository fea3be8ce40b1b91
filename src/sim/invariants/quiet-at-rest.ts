import { count, some } from '../base/text.ts';
import type { StepKind } from '../model/plan.ts';
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
    'a step that settled after nodes or pods came or went: what follows a restart, a taint or a fault is no rest',
  check({ steps }) {
    const settled = steps.filter(
      ({ outcome, plan }) => outcome === 'converged' && !DISTURBING.has(plan.kind),
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
