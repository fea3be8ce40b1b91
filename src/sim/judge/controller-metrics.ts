import { KEPT_METRICS, valuesOf, type KeptMetric } from '../model/controller-metric.ts';
import type { RecordedRun, StepRecord } from '../model/recorded-run.ts';
import type { ControllerMetricsReport } from '../model/run-report.ts';

interface Sample {
  readonly seq: number;
  readonly values: Readonly<Record<string, number>>;
}

/**
 * What the controller said of itself in a step: from its last words before the step to its last before the next one,
 * which are those when the step had ended. Null when it said nothing.
 */
export function controllerMetricsReport(
  { begin }: StepRecord,
  run: RecordedRun,
): ControllerMetricsReport | null {
  if (!begin) return null;
  const samples = run.controllerMetrics.flatMap(({ seq, values }) =>
    values ? [{ seq, values }] : [],
  );
  const nextBegin = Math.min(
    ...run.steps.map((step) => step.begin?.seq ?? Infinity).filter((seq) => seq > begin.seq),
  );
  const within = samples.filter(({ seq }) => seq > begin.seq && seq < nextBegin);
  if (within.length === 0) return null;
  const before = samples.findLast(({ seq }) => seq < begin.seq);
  const stretch = before ? [before, ...within] : within;
  const increaseOf = (metric: KeptMetric): number | null => increase(metric, stretch, run);
  return {
    samples: within.length,
    maxQueueDepth: highest(within.flatMap(({ values }) => valuesOf(values, KEPT_METRICS.depth))),
    queueAdds: increaseOf(KEPT_METRICS.adds),
    queueRetries: increaseOf(KEPT_METRICS.retries),
    reconciles: increaseOf(KEPT_METRICS.reconciles),
    reconcileErrors: increaseOf(KEPT_METRICS.reconcileErrors),
    requests: increaseOf(KEPT_METRICS.requests),
  };
}

const highest = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.max(...values);

/** How much a counter has grown. A process that came meanwhile counts from nothing. */
function increase(metric: KeptMetric, samples: readonly Sample[], run: RecordedRun): number | null {
  const totals = samples.map(({ seq, values }) => ({ seq, all: valuesOf(values, metric) }));
  if (samples.length < 2 || totals.every(({ all }) => all.length === 0)) return null;
  let grown = 0;
  for (const [i, { seq, all }] of totals.entries()) {
    const last = totals[i - 1];
    if (!last) continue;
    const before = hasRestarted(run, last.seq, seq) ? 0 : sum(last.all);
    const now = sum(all);
    grown += now < before ? now : now - before;
  }
  return grown;
}

const hasRestarted = ({ controllerEvents }: RecordedRun, fromSeq: number, toSeq: number): boolean =>
  controllerEvents.some(
    ({ event, seq }) => (event === 'started' || event === 'ready') && seq > fromSeq && seq < toSeq,
  );

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
