const FIRST_MS = 1000;
const LONGEST_MS = 30_000;
/** One that ran so long has got over what made it exit. */
const SOUND_MS = 60_000;

/**
 * How long to wait before a controller that has exited is started again: twice as long as before, and anew from the
 * first time once it has run for a minute. A kubelet does the same with other figures (10 s, 5 min, 10 min).
 */
export const backOffMs = (beforeMs: number | undefined, ranMs: number): number =>
  beforeMs === undefined || ranMs >= SOUND_MS ? FIRST_MS : Math.min(LONGEST_MS, 2 * beforeMs);
