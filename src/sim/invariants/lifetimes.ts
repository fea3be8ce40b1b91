import type { Lifetime } from '../model/facts.ts';
import type { RunMs } from '../base/units.ts';

/** Whether two facts were true at the same time. By order of the recording, so that no clock is too coarse. */
export const coexist = (a: Lifetime, b: Lifetime): boolean =>
  a.from.seq < (b.to?.seq ?? Infinity) && b.from.seq < (a.to?.seq ?? Infinity);

/** The moment from which both were true. */
export const togetherSince = (a: Lifetime, b: Lifetime): RunMs =>
  a.from.seq > b.from.seq ? a.from.atMs : b.from.atMs;

export const trueAt = (life: Lifetime, seq: number): boolean =>
  life.from.seq <= seq && seq < (life.to?.seq ?? Infinity);

export const trueAtMs = (life: Lifetime, atMs: number): boolean =>
  life.from.atMs <= atMs && atMs < (life.to?.atMs ?? Infinity);

export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(3)} s`;
