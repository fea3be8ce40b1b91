import { count, some } from '../base/text.ts';
import { verdictOf } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { seconds } from './lifetimes.ts';

export const quietAtRest: Invariant = {
  code: 'INV013',
  title:
    "At rest nothing is written: no object of the operator's kinds changes while a step settles",
  why: 'A controller that writes without cause loads the API server for ever, on every cluster it runs in.',
  when: 'settled',
  needs:
    'a step that settled, other than a restart: a controller that has just started may look at everything anew',
  check({ steps }) {
    const settled = steps.filter(
      ({ outcome, plan }) => outcome === 'converged' && plan.kind !== 'restart',
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
    return verdictOf(settled.length, findings, 'no step settled, other than a restart');
  },
};
