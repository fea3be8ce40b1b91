import { runMs } from '../base/units.ts';
import { verdictOf } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { seconds } from './lifetimes.ts';

export const controllerAlive: Invariant = {
  code: 'INV012',
  title: 'The controller never exited unasked',
  why: 'A controller that crashes under load stops serving when it is needed most.',
  when: 'always',
  needs: 'a controller that became ready',
  check({ controllerEvents }) {
    const ready = controllerEvents.filter(({ event }) => event === 'ready');
    const exits = controllerEvents.filter(
      ({ event, asked }) => event === 'exited' && asked !== true,
    );
    const findings = exits.map(({ atMs, how, pid }, i) => ({
      message:
        `the controller exited unasked at ${seconds(atMs)}${how === undefined ? '' : ` (${how})`}` +
        (exits.length === 1 ? '' : `, exit ${i + 1} of ${exits.length}`),
      atMs: runMs(atMs),
      objects: pid === undefined ? [] : [`process ${pid}`],
    }));
    return verdictOf(ready.length, findings, 'no controller of ours became ready');
  },
};
