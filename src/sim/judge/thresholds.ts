import { ascending, nearestRank } from '../base/nearest-rank.ts';
import { assertNever } from '../base/assert-never.ts';
import type { RecordedRun, StepRecord } from '../model/recorded-run.ts';
import type { ThresholdReport } from '../model/run-report.ts';
import type { MetricNames } from '../model/metric.ts';
import { parseThreshold, type Metric, type Operator, type Threshold } from '../model/threshold.ts';
import { isSampled } from '../model/metric.ts';
import { eventTimes, tally, type EventTimes } from './events.ts';
import { censoredPercentile, heldTimes } from './statistics.ts';
import { coresUsed, cpuTimeMs, samplesOf } from './usage.ts';

/** Holds every threshold of the plan against every step that it covers. */
export function judgeThresholds(run: RecordedRun, names: MetricNames): readonly ThresholdReport[] {
  return run.plan.thresholds.flatMap(({ expr }) => {
    const parsed = parseThreshold(expr, names);
    if (!parsed.ok) return []; // the scenario's rules have refused it already
    const { threshold } = parsed;
    return run.steps
      .filter((step) => covers(threshold, step))
      .map((step) => judgeOne(threshold, step, run));
  });
}

/** Whether a threshold is held against a step. */
export const covers = ({ step, kind, metric }: Threshold, { plan }: StepRecord): boolean =>
  step === undefined ? !isSampled(kind) || plan.samples.includes(metric.name) : plan.name === step;

/** Holds one threshold against one step that has ended. */
export function judgeOne(
  threshold: Threshold,
  step: StepRecord,
  run: RecordedRun,
): ThresholdReport {
  const value = step.outcome === 'skipped' ? undefined : valueOf(threshold, step, run);
  const held = value !== undefined && compare(value, threshold.operator, threshold.limit);
  return {
    expr: threshold.expr,
    step: step.plan.name,
    status: held ? 'held' : 'broken',
    value: value ?? null,
    limit: threshold.limit,
    unit: threshold.unit,
    reason: value === undefined ? `no samples: ${whyNone(step)}` : null,
  };
}

const whyNone = ({ outcome, reason }: StepRecord): string =>
  outcome === 'converged'
    ? 'nothing was measured'
    : `the step is ${outcome}${reason ? ` (${reason})` : ''}`;

function compare(value: number, operator: Operator, limit: number): boolean {
  switch (operator) {
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '>':
      return value > limit;
    case '>=':
      return value >= limit;
    case '==':
      return value === limit;
    default:
      return assertNever(operator);
  }
}

/** Undefined where there is no sample: that never passes. Counts and regressions of nothing are 0. */
function valueOf(
  { kind, stat, metric }: Threshold,
  step: StepRecord,
  run: RecordedRun,
): number | undefined {
  switch (kind) {
    case 'timing':
      return timingValue(stat, step, metric.name);
    case 'latency':
      return latencyValue(stat, step, eventTimes(metric.name, step, run));
    case 'tally':
      return tally(metric.name, step, run);
    case 'counter':
      return counterValue(stat, step, metric);
    case 'requests':
      return requestsValue(stat, step, metric.labels, run);
    case 'cpu':
    case 'memory':
      return usageValue(stat, kind, step, run);
    default:
      return assertNever(kind);
  }
}

function timingValue(stat: string, step: StepRecord, milestone: string): number | undefined {
  const sample = step.samples.get(milestone) ?? [];
  const held = heldTimes(sample);
  const unfinished = sample.length - held.length;
  const last = held.at(-1);
  switch (stat) {
    case 'count':
      return held.length;
    case 'min':
      return held[0];
    // The slowest and the time to all are not known while a node is missing, and must not look fast.
    case 'max':
    case 'all':
      return unfinished === 0 ? last : undefined;
    case 'rate':
      return last === undefined || last === 0 ? undefined : (held.length * 1000) / last;
    default:
      return censoredPercentile(held, unfinished, Number(stat.slice(1)));
  }
}

function latencyValue(
  stat: string,
  { begin, end }: StepRecord,
  times: EventTimes,
): number | undefined {
  const { known, unfinished } = times;
  switch (stat) {
    case 'count':
      return known.length;
    case 'min':
      return known[0];
    case 'max':
      return unfinished === 0 ? known.at(-1) : undefined;
    case 'rate': {
      const seconds = ((end?.atMs ?? 0) - (begin?.atMs ?? 0)) / 1000;
      return seconds > 0 ? known.length / seconds : undefined;
    }
    default:
      return censoredPercentile(known, unfinished, Number(stat.slice(1)));
  }
}

function counterValue(
  stat: string,
  step: StepRecord,
  { network, name }: Metric,
): number | undefined {
  const records = [...step.counters].flatMap(([of, counters]) =>
    network === undefined || of === network ? (counters.get(name) ?? []) : [],
  );
  if (stat === 'regressions')
    return records.reduce((sum, { regressions }) => sum + regressions.length, 0);
  const finals = ascending(records.map(({ final }) => final));
  return stat === 'min' ? finals[0] : finals.at(-1);
}

function requestsValue(
  stat: string,
  step: StepRecord,
  labels: Readonly<Record<string, string>>,
  run: RecordedRun,
): number | undefined {
  const api = run.api.find((entry) => entry.step === step.plan.name);
  if (!api) return undefined;
  const sum = api.rows
    .filter(
      (row) =>
        (labels['verb'] ?? row.verb) === row.verb &&
        (labels['resource'] ?? row.resource) === row.resource &&
        (labels['user'] === undefined ||
          row.user.includes(labels['user']) ||
          row.userAgent.includes(labels['user'])),
    )
    .reduce((total, { requests }) => total + requests, 0);
  if (stat === 'sum') return sum;
  const seconds = ((step.end?.atMs ?? 0) - (step.begin?.atMs ?? 0)) / 1000;
  return seconds > 0 ? sum / seconds : undefined;
}

function usageValue(
  stat: string,
  kind: 'cpu' | 'memory',
  { begin, end }: StepRecord,
  run: RecordedRun,
): number | undefined {
  if (!begin || !end) return undefined;
  const samples = samplesOf(run, 'controller');
  const inStep = samples.filter(({ atMs }) => atMs >= begin.atMs && atMs <= end.atMs);
  if (stat === 'sum') return cpuTimeMs(inStep);
  const values = ascending(
    kind === 'cpu'
      ? coresUsed(samples, begin.atMs, end.atMs)
      : inStep.map(({ rssBytes }) => rssBytes),
  );
  if (stat === 'min') return values[0];
  return nearestRank(values, stat === 'max' ? 100 : Number(stat.slice(1)));
}
