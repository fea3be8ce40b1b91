import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { monotonicMs } from '../base/units.ts';

export const realClock: Clock = {
  now: () => monotonicMs(Number(process.hrtime.bigint()) / 1e6),
  wallMs: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await delay(Math.max(0, ms), undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted(); // the caller's reason, not Node's generic AbortError
      throw error;
    }
  },
  every: (ms, tick) => {
    const timer = setInterval(tick, ms).unref();
    return () => {
      clearInterval(timer);
    };
  },
};
