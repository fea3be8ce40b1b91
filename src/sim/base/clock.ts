import type { MonotonicMs } from './units.ts';

/** Time, injected so that tests control it. */
export interface Clock {
  /** CLOCK_MONOTONIC in milliseconds, with a fraction. The same in all processes of one machine. */
  now(): MonotonicMs;
  /** Milliseconds since 1970, for display and for matching logs; never for arithmetic on durations. */
  wallMs(): number;
  /** Resolves after the time has passed; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `tick` every `ms` until the returned function is called. Does not keep the process alive. */
  every(ms: number, tick: () => void): () => void;
}
