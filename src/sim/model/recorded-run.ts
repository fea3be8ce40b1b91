import type { NodeSet } from '../base/node-names.ts';
import type { SetDigest } from '../base/set-digest.ts';
import type { RunMs } from '../base/units.ts';
import type { FactKind, FactOf, Lifetime, Moment } from './facts.ts';
import type { HistoryEntryOf } from './history.ts';
import type { ExpectedBlocks, NetworkFrame } from './operator-profile.ts';
import type { Plan, PlannedStep, RemovalOrder } from './plan.ts';

/** The stretch in which one Node object existed. Names are used again; this is one bearer of the name. */
export interface NodeLife {
  readonly node: string;
  readonly index: number;
  readonly uid: string;
  readonly from: Moment;
  readonly to: Moment | undefined;
  /** How sim took the node away; undefined while it lives, or when somebody else did. */
  readonly removal: RemovalOrder | undefined;
}

/** The end of a step. Where it had converged and settled, what must be whole is whole. */
export interface StepEnd {
  readonly step: string;
  readonly converged: boolean;
  /** Whether it had converged, or had missed its goal although nothing had changed any more for a while: no operator is only slow then. */
  readonly settled: boolean;
  readonly at: Moment;
  /** The live fake nodes. */
  readonly nodes: readonly string[];
  readonly expectedBlocks: ReadonlyMap<string, readonly ExpectedBlocks[]>;
  /** Daemons and networks whose routes were compared, and those that were told something else than their peers' routes. */
  readonly routes: { readonly compared: number; readonly wrong: readonly WrongRoutes[] };
}

export interface WrongRoutes {
  readonly node: string;
  readonly network: string;
  readonly expected: SetDigest;
  /** Undefined: the daemon was told nothing. */
  readonly told: SetDigest | undefined;
}

/** What the operator's objects said over time, without the operator's own words. */
export interface Ledger {
  readonly networks: readonly NetworkFrame[];
  /** Whether the operator has an object for each block from which addresses are given out. */
  readonly hasPools: boolean;
  /** Whether it has daemons whose calls are recorded, so that every address that was given out is known. */
  readonly hasDaemons: boolean;
  readonly nodes: readonly NodeLife[];
  readonly stepEnds: readonly StepEnd[];
  facts<K extends FactKind>(kind: K): readonly Lifetime<FactOf<K>>[];
  allFacts(): readonly Lifetime[];
}

/** When a milestone held for one node of a step's sample. */
export interface NodeTiming {
  readonly node: string;
  /** From the step's first action to the first time it held; null if it never did. */
  readonly firstMs: number | null;
  /** From the step's first action to the time since which it has held; null if it does not hold. */
  readonly heldMs: number | null;
  /** The same, from the sending of this node's create request; null for nodes this step did not create. */
  readonly sinceCreateMs: number | null;
}

export interface CounterRegression {
  readonly atMs: RunMs;
  readonly from: number;
  readonly to: number;
}

export type StepOutcome = 'converged' | 'failed' | 'skipped' | 'unfinished';

/** A step as it went. */
export interface StepRecord {
  readonly plan: PlannedStep;
  readonly outcome: StepOutcome;
  readonly reason: string | undefined;
  readonly begin: Moment | undefined;
  readonly end: Moment | undefined;
  /** Wall time at begin and end, to match logs with. */
  readonly wallMs: { readonly begin: number; readonly end: number } | undefined;
  /** When its first action was sent: time zero of all its durations. */
  readonly zeroMs: RunMs | undefined;
  /** When the last quiet stretch began in which everything held; undefined if it does not hold. */
  readonly quietSinceMs: RunMs | undefined;
  /** By milestone (and `gone`): the nodes for which it did not hold at the start, or was lost meanwhile. */
  readonly samples: ReadonlyMap<string, readonly NodeTiming[]>;
  /** The last value of each counter, and each fall while the number of nodes did not shrink. */
  readonly counters: ReadonlyMap<string, ReadonlyMap<string, CounterRecord>>;
  /** Writes of the profile's kinds in the quiet stretch. */
  readonly unrest: readonly { readonly atMs: RunMs; readonly object: string }[];
  /** When the last restart or fault of the step was over, and when everything held again. */
  readonly recovery: { readonly fromMs: RunMs; readonly toMs: RunMs | undefined } | undefined;
}

/** A restart or a fault. */
export interface Disturbance {
  /** `hang`, `restart of the controller with SIGKILL`. */
  readonly what: string;
  /** The nodes concerned; none for what is no node's. */
  readonly nodes: NodeSet;
  readonly beginMs: RunMs;
  /** Undefined: it lasts still. */
  readonly endMs: RunMs | undefined;
  /** The step in which it ended. */
  readonly endStep: string | undefined;
  /** When everything held again for good, after its end; undefined if it never did. */
  readonly wholeMs: RunMs | undefined;
  /** The longest time for which a node, while it was there, lacked a milestone; the longest first. */
  readonly stalls: readonly { readonly node: string; readonly ms: number }[];
}

/** A counter's value, and since when it had it. */
export type CounterPoint = readonly [atMs: RunMs, value: number];

export interface CounterRecord {
  readonly final: number;
  readonly regressions: readonly CounterRegression[];
  /**
   * Every change in the step, after the value with which it began, whose time may lie before it. At most 200 points:
   * where there were more, the first, the last, the lowest and the highest of each stretch of them.
   */
  readonly curve: readonly CounterPoint[];
}

export interface WatchGap {
  readonly resource: string;
  readonly reason: string;
  readonly fromMs: RunMs;
  readonly toMs: RunMs;
}

/** Entries that were recorded and are not in the recording any more. Both ends included. */
export interface RecordingHole {
  readonly fromSeq: number;
  readonly toSeq: number;
  /** When the recording goes on. */
  readonly atMs: RunMs;
}

/** A fake node that somebody other than sim took away. */
export interface Interference {
  readonly node: string;
  readonly atMs: RunMs;
}

/** A recording, folded: all that judging and reporting need. */
export interface RecordedRun {
  readonly header: HistoryEntryOf<'header'>;
  readonly environment: HistoryEntryOf<'environment'> | undefined;
  readonly plan: Plan;
  readonly ledger: Ledger;
  readonly steps: readonly StepRecord[];
  readonly gaps: readonly WatchGap[];
  readonly holes: readonly RecordingHole[];
  readonly resumes: number;
  /** Pods that kwok had overlooked. */
  readonly nudges: readonly HistoryEntryOf<'nudge'>[];
  readonly stalls: readonly HistoryEntryOf<'stall'>[];
  readonly interferences: readonly Interference[];
  readonly disturbances: readonly Disturbance[];
  readonly allocations: readonly HistoryEntryOf<'allocation'>[];
  readonly actions: { readonly begun: number; readonly unended: readonly string[] };
  readonly controllerEvents: readonly HistoryEntryOf<'controller'>[];
  readonly componentExits: readonly HistoryEntryOf<'component'>[];
  readonly canary: readonly HistoryEntryOf<'canary'>[];
  readonly usage: readonly HistoryEntryOf<'usage'>[];
  readonly controllerMetrics: readonly HistoryEntryOf<'controller-metrics'>[];
  readonly api: readonly HistoryEntryOf<'api'>[];
  /** Kinds whose final list was compared with the folded state, and what differed. */
  readonly snapshots: { readonly compared: number; readonly differences: readonly string[] };
  readonly end: HistoryEntryOf<'end'> | undefined;
  readonly lastMs: RunMs;
  readonly unknownKinds: readonly string[];
}
