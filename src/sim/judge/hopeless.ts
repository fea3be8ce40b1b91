import type { RunMs } from '../base/units.ts';
import type { RecordedRun, StepRecord } from '../model/recorded-run.ts';
import type { MetricNames } from '../model/metric.ts';
import { parseThreshold, type Operator, type Threshold } from '../model/threshold.ts';
import { heldTimes } from './statistics.ts';
import { covers, judgeOne } from './thresholds.ts';

/** A limit that can no longer be kept, whatever happens from now on. */
export interface HopelessThreshold {
  readonly expr: string;
  readonly step: string;
}

/**
 * Which of the limits that may end a run early are lost already: those that a finished step broke, and upper bounds
 * on times that have passed while too many nodes are still on their way.
 */
export function hopelessThresholds(
  run: RecordedRun,
  names: MetricNames,
  now: RunMs,
): readonly HopelessThreshold[] {
  return run.plan.thresholds.flatMap(({ expr, abortAfterMs }) => {
    const parsed = abortAfterMs === null ? undefined : parseThreshold(expr, names);
    if (!parsed?.ok) return [];
    const { threshold } = parsed;
    return run.steps
      .filter((step) => step.begin && covers(threshold, step))
      .filter((step) =>
        step.end
          ? judgeOne(threshold, step, run).status === 'broken'
          : threshold.kind === 'timing' && isOverdue(threshold, step, now),
      )
      .map((step) => ({ expr, step: step.plan.name }));
  });
}

const UPPER_BOUNDS: ReadonlySet<Operator> = new Set<Operator>(['<', '<=']);

/** Held times only ever grow while a step goes on: what is over the limit now stays over it. */
function isOverdue(
  { stat, metric, operator, limit }: Threshold,
  step: StepRecord,
  now: RunMs,
): boolean {
  if (!UPPER_BOUNDS.has(operator) || step.zeroMs === undefined) return false;
  if (now - step.zeroMs <= limit) return false;
  const sample = step.samples.get(metric.name) ?? [];
  const inTime = heldTimes(sample).filter((ms) => ms <= limit).length;
  return inTime < nodesNeeded(stat, sample.length);
}

/** How many nodes must be in time for a statistic to keep an upper bound; 0 where it cannot be told yet. */
function nodesNeeded(stat: string, nodes: number): number {
  switch (stat) {
    case 'max':
    case 'all':
      return nodes;
    case 'min':
      return 1;
    case 'count':
    case 'rate':
      return 0;
    default:
      return Math.ceil((Number(stat.slice(1)) / 100) * nodes);
  }
}
