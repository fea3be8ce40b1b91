import type { ExitCode } from '../base/exit-codes.ts';
import type { RunMs } from '../base/units.ts';
import type { ControllerLimits } from './controller-spec.ts';
import type { ApiRow } from './history.ts';
import type { CounterRecord, NodeTiming } from './recorded-run.ts';
import type { MetricUnit } from './metric-unit.ts';
import type { Finding, RunVerdict } from './verdict.ts';

/** Statistics of one milestone in one step. Durations from the step's first action. Not known is null. */
export interface MilestoneReport {
  /** Size of the sample: nodes for which it did not hold at the start, or was lost meanwhile. */
  readonly count: number;
  readonly firstMs: number | null;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly maxMs: number | null;
  /** Time until it held for all; null when a node is missing. */
  readonly allMs: number | null;
  readonly missing: readonly string[];
  readonly nodes: readonly NodeTiming[];
}

/** The cost on the API server during a step, without what sim itself asked for; that is in `rows` all the same. */
export interface ApiReport {
  readonly source: 'audit-log' | 'metrics';
  readonly requests: number;
  readonly conflicts: number;
  readonly throttled: number;
  readonly failed: number;
  /** Requests per node that the step added; null when it added none. */
  readonly requestsPerNodeAdded: number | null;
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  readonly rows: readonly ApiRow[];
}

export type StepStatus = 'converged' | 'failed' | 'skipped' | 'invalid';

export interface StepReport {
  readonly name: string;
  readonly kind: string;
  readonly status: StepStatus;
  readonly reason: string | null;
  readonly nodes: number;
  readonly startMs: RunMs | null;
  readonly endMs: RunMs | null;
  readonly convergedMs: number | null;
  readonly settleMs: number;
  readonly milestones: Readonly<Record<string, MilestoneReport>>;
  /** By network and counter. */
  readonly counters: Readonly<Record<string, Readonly<Record<string, CounterRecord>>>>;
  readonly api: ApiReport | null;
  readonly recoveryMs: number | null;
  readonly allocations: readonly AllocationReport[];
  /** Null where the controller offers no metrics. */
  readonly controllerMetrics: ControllerMetricsReport | null;
}

/** What the controller's own metrics said in a step: sums over all of its queues, controllers and hosts. */
export interface ControllerMetricsReport {
  /** How often it has answered; a value is null when no answer had it. */
  readonly samples: number;
  /** The deepest of its queues at any of these moments. */
  readonly maxQueueDepth: number | null;
  readonly queueAdds: number | null;
  readonly queueRetries: number | null;
  readonly reconciles: number | null;
  readonly reconcileErrors: number | null;
  /** To the API server. */
  readonly requests: number | null;
}

/** What became of the requests for addresses of a step. Latencies from the moment at which a pod was due. */
export interface AllocationReport {
  readonly verb: 'allocate' | 'deallocate';
  /** A request is of one pod on one network. */
  readonly requests: number;
  readonly complete: number;
  /** Answered with fewer addresses than NICs were asked for. */
  readonly partial: number;
  /** Answered with none. */
  readonly empty: number;
  readonly failed: number;
  readonly retries: number;
  readonly addresses: number;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly maxMs: number | null;
  /** Answers a second, over the step's requests. */
  readonly perSecond: number | null;
  /** Why requests got nothing, each reason once. */
  readonly problems: readonly string[];
}

/** A restart or a fault. */
export interface DisturbanceReport {
  readonly what: string;
  /** `sim-3`, `sim-1…sim-4`; null where it concerns no node. */
  readonly nodes: string | null;
  readonly beginMs: RunMs;
  readonly endMs: RunMs | null;
  /** The step in which it ended. */
  readonly step: string | null;
  /** From its end until everything held again; null when that never came. */
  readonly recoveryMs: number | null;
  /** How long nodes with the fault lacked a milestone at a stretch, while they were there; the longest first. */
  readonly stalls: readonly { readonly node: string; readonly ms: number }[];
}

export interface InvariantReport {
  readonly code: string;
  readonly title: string;
  readonly status: 'held' | 'broken' | 'not-applicable';
  /** Why it is not applicable, or a remark. */
  readonly reason: string | null;
  readonly checked: number;
  readonly findings: readonly Finding[];
}

export interface ThresholdReport {
  readonly expr: string;
  readonly step: string | null;
  readonly status: 'held' | 'broken';
  /** In the unit; null when there is no sample. */
  readonly value: number | null;
  readonly limit: number;
  /** Of the value and the limit. */
  readonly unit: MetricUnit;
  readonly reason: string | null;
}

export interface StepAudit {
  readonly step: string;
  readonly samples: number;
  /** The p99 of max(observation error, loop delay); the p95 below 100 samples, the median below 50. */
  readonly errorMs: number | null;
  readonly limitMs: number | null;
  readonly valid: boolean;
  readonly reasons: readonly string[];
}

export interface SelfAuditReport {
  readonly valid: boolean;
  readonly steps: readonly StepAudit[];
  readonly observationMs: { readonly p50: number; readonly p99: number } | null;
  readonly writeMs: { readonly p50: number; readonly p99: number } | null;
  readonly loopDelayMs: { readonly p50: number; readonly p99: number } | null;
  /** CPU time of the sim process as a share of all that the run's processes used. */
  readonly cpuShare: number | null;
  readonly gaps: number;
  readonly resumes: number;
  /** Pods that kwok had overlooked and `sim` touched, so that it looked again. */
  readonly nudgedPods: number;
}

/** What a component used: CPU time over the run, and the most memory it had resident. */
export interface UsageReport {
  readonly cpuMs: number;
  readonly maxRssBytes: number;
  /** Null where its CPU time is not limited. */
  readonly throttled: ThrottledReport | null;
}

/** How often a component had used up its CPU time, of the periods of 100 ms in which it wanted to run. */
export interface ThrottledReport {
  readonly periods: number;
  readonly throttledPeriods: number;
  /** How long its processes waited, added up over the cores. */
  readonly throttledMs: number;
}

/** `report.json`, schema `sim.report/1`. */
export interface RunReport {
  readonly schema: 'sim.report/1';
  readonly verdict: RunVerdict;
  readonly exitCode: ExitCode;
  /** Why the verdict is not a pass, most important first. */
  readonly reasons: readonly string[];
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly seed: number;
  };
  readonly scenario: { readonly name: string; readonly path: string; readonly sha256: string };
  readonly runtime: { readonly name: string; readonly preset: string | null };
  readonly controller: {
    readonly kind: string;
    readonly reference: boolean;
    readonly command: readonly string[] | null;
    readonly identity: string | null;
    readonly flowSchema: string | null;
    readonly limits: ControllerLimits | null;
  } | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly steps: readonly StepReport[];
  readonly disturbances: readonly DisturbanceReport[];
  readonly invariants: readonly InvariantReport[];
  readonly thresholds: readonly ThresholdReport[];
  readonly selfAudit: SelfAuditReport;
  readonly usage: Readonly<Record<string, UsageReport>>;
}
