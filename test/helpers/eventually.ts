import { waitFor } from '../../src/sim/base/wait.ts';
import { realClock } from '../../src/sim/host/real-clock.ts';

/** Waits for something that another part of the test's world brings about. `what` ends "waited for …". */
export function eventually<T>(what: string, probe: () => T | undefined | false): Promise<T> {
  return waitFor<T>({
    what,
    clock: realClock,
    timeoutMs: 8000,
    intervalMs: 5,
    probe: () => {
      const answer = probe();
      return Promise.resolve(answer === false ? undefined : answer);
    },
  });
}

/** Lets everything that is already under way go on for a little: for asserting that nothing more happens. */
export const aLittleLater = (ms = 50): Promise<void> => realClock.sleep(ms);
