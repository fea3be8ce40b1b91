import pMap from 'p-map';
import type { Clock } from '../../sim/base/clock.ts';
import { seededRandom } from '../../sim/base/seeded-random.ts';
import type { CniPlan } from './contract.ts';

/** How long after the first each is due, in milliseconds. */
export function dueTimes(
  count: number,
  arrival: Exclude<CniPlan['arrival'], { kind: 'at-once' }>,
  seed: number,
): readonly number[] {
  const gapMs = 1000 / arrival.perSecond;
  if (arrival.kind === 'constant') return Array.from({ length: count }, (_, i) => i * gapMs);
  const random = seededRandom(seed);
  let due = 0;
  return Array.from({ length: count }, (_, i) => {
    if (i > 0) due += -Math.log(1 - random()) * gapMs; // exponential gaps make a Poisson process
    return due;
  });
}

/**
 * Does the work for each item when it is due, and resolves when all is done. With a rate, an item is begun at its time
 * whatever became of those before. `work` never rejects. Nothing more is begun once the signal aborts.
 */
export async function inArrivalOrder<T>(
  items: readonly T[],
  { arrival, seed }: Pick<CniPlan, 'arrival' | 'seed'>,
  clock: Clock,
  signal: AbortSignal,
  work: (item: T, dueMs: number) => Promise<void>,
): Promise<void> {
  const begin = clock.now();
  if (arrival.kind === 'at-once') {
    await pMap(items, (item) => (signal.aborted ? undefined : work(item, begin)), {
      concurrency: arrival.concurrency,
    });
    return;
  }
  const begun: Promise<void>[] = [];
  const times = dueTimes(items.length, arrival, seed);
  for (const [i, item] of items.entries()) {
    const due = begin + (times[i] ?? 0);
    const waitMs = due - clock.now();
    // Who is late already must not wait for a timer: none is shorter than a millisecond.
    if (waitMs > 0) await clock.sleep(waitMs, signal).catch(() => undefined); // aborted
    if (signal.aborted) break;
    begun.push(work(item, due));
  }
  await Promise.all(begun);
}
