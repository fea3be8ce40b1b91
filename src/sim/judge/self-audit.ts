import { ascending, nearestRank } from '../base/nearest-rank.ts';
import { formatDuration } from '../base/duration.ts';
import { roundMs } from '../base/units.ts';
import type { RecordedRun, StepRecord } from '../model/recorded-run.ts';
import type { SelfAuditReport, StepAudit } from '../model/run-report.ts';
import { p50p99 } from './statistics.ts';
import { usageReport } from './usage.ts';

/** An error smaller than this is never held against a figure. */
const LEAST_LIMIT_MS = 250;
/** The share of the convergence time that the error of its measurement may have. */
const LIMIT_SHARE = 0.1;
/**
 * Below 100 samples a p99 is the worst of them all, and one late event would void a step: then the p95 decides, and below
 * 50 the median.
 */
const PERCENTILE_BY_SAMPLES = [
  { atLeast: 100, percentile: 99 },
  { atLeast: 50, percentile: 95 },
  { atLeast: 0, percentile: 50 },
] as const;
/** A step longer than this without a single canary was not watched. */
const UNWATCHED_MS = 3000;

/** Whether the run was observed well enough to judge by. An invalid figure is not a slow one. */
export function auditRun(run: RecordedRun): SelfAuditReport {
  const steps = run.steps.flatMap((step) => auditStep(step, run));
  return {
    valid: steps.every(({ valid }) => valid),
    steps,
    observationMs: p50p99(run.canary.flatMap(({ observationMs }) => observationMs ?? [])),
    writeMs: p50p99(run.canary.map(({ writeMs }) => writeMs)),
    loopDelayMs: p50p99(run.canary.map(({ loopDelayMs }) => loopDelayMs)),
    cpuShare: cpuShareOfSim(run),
    gaps: run.gaps.length,
    resumes: run.resumes,
    nudgedPods: new Set(run.nudges.map(({ namespace, name }) => `${namespace}/${name}`)).size,
  };
}

function auditStep(step: StepRecord, run: RecordedRun): readonly StepAudit[] {
  const { begin, end, zeroMs, quietSinceMs } = step;
  if (!begin || !end || step.outcome === 'skipped') return [];
  const during = (fromMs: number, toMs: number): boolean =>
    fromMs <= end.atMs && toMs >= begin.atMs;
  const errors = ascending(
    run.canary
      .filter(({ atMs }) => during(atMs, atMs))
      .map(({ observationMs, loopDelayMs }) =>
        // A canary whose event never came says nothing of the error; a lost watch is told as a gap or a stall.
        roundMs(Math.max(observationMs ?? 0, loopDelayMs)),
      ),
  );
  const length = end.atMs - begin.atMs;
  const converged = quietSinceMs === undefined ? length : quietSinceMs - (zeroMs ?? begin.atMs);
  const limitMs = roundMs(Math.max(LEAST_LIMIT_MS, LIMIT_SHARE * converged));
  const errorMs = nearestRank(errors, percentileFor(errors.length));
  const reasons = [
    ...(errorMs !== undefined && errorMs > limitMs
      ? [`observation lagged by ${formatDuration(errorMs)}, more than ${formatDuration(limitMs)}`]
      : []),
    ...(errorMs === undefined && length > UNWATCHED_MS ? ['no canary was seen'] : []),
    ...run.gaps
      .filter(({ fromMs, toMs }) => during(fromMs, toMs))
      .map(({ resource, reason }) => `the watch of ${resource} has a gap: ${reason}`),
    ...run.stalls
      .filter(({ fromMs, toMs }) => during(fromMs, toMs))
      .map(
        ({ fromMs, toMs, what }) =>
          `${what} from ${formatDuration(fromMs)} to ${formatDuration(toMs)}`,
      ),
    ...run.interferences
      .filter(({ atMs }) => during(atMs, atMs))
      .map(({ node, atMs }) => `somebody else removed ${node} at ${formatDuration(atMs)}`),
  ];
  return [
    {
      step: step.plan.name,
      samples: errors.length,
      errorMs: errorMs ?? null,
      limitMs,
      valid: reasons.length === 0,
      reasons,
    },
  ];
}

const percentileFor = (samples: number): number =>
  PERCENTILE_BY_SAMPLES.find(({ atLeast }) => samples >= atLeast)?.percentile ?? 50;

function cpuShareOfSim(run: RecordedRun): number | null {
  const usage = usageReport(run);
  const total = Object.values(usage).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const own = usage['sim']?.cpuMs;
  return own === undefined || total === 0 ? null : own / total;
}
