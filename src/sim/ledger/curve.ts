import type { CounterPoint } from '../model/recorded-run.ts';

const MOST_POINTS = 200;
const KEPT_OF_EACH = 4;

/**
 * A curve of at most 200 points. Where there are more, they are cut into stretches, and of each the first, the lowest,
 * the highest and the last are kept: no fall and no rise of the whole is lost.
 */
export function thinned(curve: readonly CounterPoint[]): readonly CounterPoint[] {
  if (curve.length <= MOST_POINTS) return curve;
  const stretches = MOST_POINTS / KEPT_OF_EACH;
  const bound = (i: number): number => Math.floor((i * curve.length) / stretches);
  return Array.from({ length: stretches }, (_, i) =>
    outlined(curve.slice(bound(i), bound(i + 1))),
  ).flat();
}

function outlined(stretch: readonly CounterPoint[]): readonly CounterPoint[] {
  const values = stretch.map(([, value]) => value);
  const lowest = values.indexOf(Math.min(...values));
  const highest = values.indexOf(Math.max(...values));
  const kept = new Set([0, lowest, highest, stretch.length - 1]);
  return stretch.filter((_, i) => kept.has(i));
}
