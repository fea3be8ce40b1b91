import { ascending, nearestRank } from '../base/nearest-rank.ts';
import { roundMs } from '../base/units.ts';
import type { NodeTiming } from '../model/recorded-run.ts';
import type { MilestoneReport } from '../model/run-report.ts';

/** Times at which a milestone has held since, sorted; unfinished nodes are not in it. */
export const heldTimes = (sample: readonly NodeTiming[]): readonly number[] =>
  ascending(sample.flatMap(({ heldMs }) => heldMs ?? []));

/**
 * Percentiles are over the whole sample: an unfinished node counts as slower than all others, so that a percentile
 * that falls on one is not known. Null, never zero.
 */
export function milestoneReport(sample: readonly NodeTiming[]): MilestoneReport {
  const held = heldTimes(sample);
  const missing = sample.filter(({ heldMs }) => heldMs === null).map(({ node }) => node);
  const rank = (p: number): number | null => censoredPercentile(held, missing.length, p) ?? null;
  const firsts = ascending(sample.flatMap(({ firstMs }) => firstMs ?? []));
  return {
    count: sample.length,
    firstMs: firsts[0] ?? null,
    p50Ms: rank(50),
    p90Ms: rank(90),
    p99Ms: rank(99),
    maxMs: held.at(-1) ?? null,
    allMs: missing.length === 0 ? (held.at(-1) ?? null) : null,
    missing,
    nodes: sample,
  };
}

/** Nearest rank over held and unfinished nodes; undefined when the rank falls on an unfinished one. */
export function censoredPercentile(
  held: readonly number[],
  unfinished: number,
  p: number,
): number | undefined {
  const total = held.length + unfinished;
  if (total === 0) return undefined;
  return held[Math.max(0, Math.ceil((p / 100) * total) - 1)];
}

/** Of times, to the microsecond. */
export const p50p99 = (
  values: Iterable<number>,
): { readonly p50: number; readonly p99: number } | null => {
  const sorted = ascending(values);
  const [p50, p99] = [nearestRank(sorted, 50), nearestRank(sorted, 99)];
  return p50 === undefined || p99 === undefined ? null : { p50: roundMs(p50), p99: roundMs(p99) };
};
