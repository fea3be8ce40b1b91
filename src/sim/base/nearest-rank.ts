/**
 * The nearest-rank percentile: the smallest value of the sample that at least p percent of it do not exceed. It
 * never invents a value. Undefined for an empty sample.
 */
export function nearestRank(sorted: readonly number[], p: number): number | undefined {
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)];
}

export const ascending = (values: Iterable<number>): readonly number[] =>
  [...values].sort((a, b) => a - b);
