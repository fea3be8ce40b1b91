import type { HistoryEntryOf } from '../model/history.ts';
import type { Disturbance, RecordedRun, StepRecord } from '../model/recorded-run.ts';
import type {
  AllocationReport,
  ApiReport,
  ControllerMetricsReport,
  DisturbanceReport,
  InvariantReport,
  MilestoneReport,
  RunReport,
  SelfAuditReport,
  StepReport,
  StepStatus,
  ThresholdReport,
  UsageReport,
} from '../model/run-report.ts';
import { formatSet } from '../base/node-names.ts';
import type { ExitCode } from '../base/exit-codes.ts';
import { roundMs } from '../base/units.ts';
import type { NodeTiming } from '../model/recorded-run.ts';
import type { RunVerdict } from '../model/verdict.ts';

/** What the judge has concluded. */
export interface Conclusions {
  readonly verdict: RunVerdict;
  readonly exitCode: ExitCode;
  readonly reasons: readonly string[];
  readonly invariants: readonly InvariantReport[];
  readonly thresholds: readonly ThresholdReport[];
  readonly selfAudit: SelfAuditReport;
  readonly usage: Readonly<Record<string, UsageReport>>;
  readonly milestone: (sample: readonly NodeTiming[]) => MilestoneReport;
  readonly allocations: (step: StepRecord) => readonly AllocationReport[];
  readonly controllerMetrics: (step: StepRecord) => ControllerMetricsReport | null;
}

const OWN_AGENT = 'cni-sim';

/** Puts the report together. Decides nothing. */
export function buildReport(run: RecordedRun, conclusions: Conclusions): RunReport {
  const { header, environment } = run;
  const { milestone, allocations, controllerMetrics, ...judged } = conclusions;
  return {
    schema: 'sim.report/1',
    verdict: judged.verdict,
    exitCode: judged.exitCode,
    reasons: judged.reasons,
    run: { ...header.run, durationMs: run.lastMs, seed: header.seed },
    scenario: {
      name: header.scenario.name,
      path: header.scenario.path,
      sha256: header.scenario.sha256,
    },
    runtime: header.runtime,
    controller: environment
      ? { ...environment.controller, limits: environment.controller.limits ?? null }
      : null,
    versions: { sim: header.simVersion, ...environment?.versions },
    machine: header.machine,
    steps: run.steps.map((step) => ({
      ...stepReport(
        step,
        run.api.find((entry) => entry.step === step.plan.name),
        judged.selfAudit,
        milestone,
      ),
      allocations: allocations(step),
      controllerMetrics: controllerMetrics(step),
    })),
    disturbances: run.disturbances.map(disturbanceReport),
    invariants: judged.invariants,
    thresholds: judged.thresholds,
    selfAudit: judged.selfAudit,
    usage: judged.usage,
  };
}

function stepReport(
  step: StepRecord,
  api: HistoryEntryOf<'api'> | undefined,
  audit: SelfAuditReport,
  milestone: Conclusions['milestone'],
): Omit<StepReport, 'allocations' | 'controllerMetrics'> {
  const { plan, begin, end, zeroMs, quietSinceMs, recovery } = step;
  const converged =
    step.outcome === 'converged' && plan.awaitsNothing !== true && quietSinceMs !== undefined;
  return {
    name: plan.name,
    kind: plan.kind,
    status: statusOf(step, audit),
    reason: step.reason ?? null,
    nodes: plan.nodesAfter,
    startMs: begin?.atMs ?? null,
    endMs: end?.atMs ?? null,
    convergedMs: converged ? roundMs(Math.max(0, quietSinceMs - (zeroMs ?? quietSinceMs))) : null,
    settleMs: plan.settleMs,
    milestones: Object.fromEntries(
      [...step.samples]
        .filter(([name, sample]) => sample.length > 0 || plan.samples.includes(name))
        .map(([name, sample]) => [name, milestone(sample)]),
    ),
    counters: Object.fromEntries(
      [...step.counters].map(([network, counters]) => [network, Object.fromEntries(counters)]),
    ),
    api: api ? apiReport(api, step) : null,
    recoveryMs: recovery?.toMs === undefined ? null : roundMs(recovery.toMs - recovery.fromMs),
  };
}

const disturbanceReport = ({
  what,
  nodes,
  beginMs,
  endMs,
  endStep,
  wholeMs,
  stalls,
}: Disturbance): DisturbanceReport => ({
  what,
  nodes: nodes.length === 0 ? null : formatSet(nodes),
  beginMs,
  endMs: endMs ?? null,
  step: endStep ?? null,
  recoveryMs: endMs === undefined || wholeMs === undefined ? null : roundMs(wholeMs - endMs),
  stalls: stalls.map(({ node, ms }) => ({ node, ms: roundMs(ms) })),
});

function statusOf(step: StepRecord, audit: SelfAuditReport): StepStatus {
  if (step.outcome === 'skipped') return 'skipped';
  const audited = audit.steps.find(({ step: name }) => name === step.plan.name);
  if (audited && !audited.valid) return 'invalid';
  return step.outcome === 'converged' ? 'converged' : 'failed';
}

function apiReport(api: HistoryEntryOf<'api'>, { plan }: StepRecord): ApiReport {
  // What sim itself asks for is in the rows, but is no cost of the operator or the cluster.
  const others = api.rows.filter(({ userAgent }) => userAgent !== OWN_AGENT);
  const sum = (of: (row: (typeof api.rows)[number]) => number): number =>
    others.reduce((total, row) => total + of(row), 0);
  const requests = sum((row) => row.requests);
  const added = plan.nodesAfter - plan.nodesBefore;
  return {
    source: api.source,
    requests,
    conflicts: sum((row) => row.conflicts),
    throttled: sum((row) => row.throttled),
    failed: sum((row) => row.failed),
    requestsPerNodeAdded: added > 0 ? requests / added : null,
    latencyMs: api.latencyMs,
    rows: api.rows,
  };
}
