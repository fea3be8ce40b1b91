import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../sim/base/clock.ts';
import { monotonicMs } from '../sim/base/units.ts';

/** The machine's time for the stubs, which are programs of their own and so do not go through sim's Host. */
export const monotonicClock: Clock = {
  now: () => monotonicMs(Number(process.hrtime.bigint()) / 1e6),
  wallMs: () => new Date().getTime(),
  sleep: (ms, signal) => delay(Math.max(0, ms), undefined, signal === undefined ? {} : { signal }),
  every: (ms, tick) => {
    const timer = setInterval(tick, ms).unref();
    return () => {
      clearInterval(timer);
    };
  },
};
