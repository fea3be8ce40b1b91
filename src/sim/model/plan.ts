import type { NodeRange, NodeSet } from '../base/node-names.ts';
import type { Fault, FaultKind } from './fault.ts';

/** What a step waits for. Stated by the plan, answered by the observers, judged again from the recording. */
export interface Goal {
  /** The nodes that must reach every milestone. No other fake node may have left anything. */
  readonly nodes: NodeRange;
  /** Milestones of the profile, in order. */
  readonly milestones: readonly string[];
  /**
   * How many of the nodes can reach a milestone, where that is fewer than all because the scenario says
   * `overflow: expected`. The others are named in the report as missing.
   */
  readonly servedAtMost: Readonly<Record<string, number>>;
}

export type RemovalOrder = 'node-first' | 'pods-first' | 'node-only';
export type RestartSignal = 'SIGTERM' | 'SIGKILL';

export const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: (typeof TAINT_EFFECTS)[number];
}

/** Pods `from` to `to` of each of the nodes. */
export interface PodsOfNodes {
  readonly nodes: NodeRange;
  readonly pods: { readonly from: number; readonly to: number };
}

/** When the pods of a step come: all at once, or so many a second whatever becomes of them. */
export type Arrival =
  | { readonly kind: 'at-once' }
  | { readonly kind: 'constant' | 'poisson'; readonly perSecond: number };

/** Which annotation real Pod objects get for their addresses; `none`: there are no Pod objects. */
export const POD_OBJECTS = ['none', 'current', 'legacy', 'both'] as const;
export type PodObjects = (typeof POD_OBJECTS)[number];

export interface AddressWork {
  readonly work: readonly PodsOfNodes[];
  readonly arrival: Arrival;
  /** How often each call is tried at most. */
  readonly attempts: number;
  readonly podObjects: PodObjects;
}

/** One small thing done to the cluster. Neighbours of the same kind run side by side, bounded. */
export type PlannedAction =
  | { readonly kind: 'create-node'; readonly node: number }
  | { readonly kind: 'delete-node'; readonly node: number }
  | { readonly kind: 'delete-pods'; readonly nodes: NodeRange }
  | { readonly kind: 'restart-controller'; readonly signal: RestartSignal }
  | {
      readonly kind: 'restart-component';
      readonly component: string;
      readonly signal: RestartSignal;
    }
  /** The processes and the pods of the daemons; their addresses refuse for `downMs`. */
  | { readonly kind: 'restart-daemons'; readonly nodes: NodeSet; readonly downMs: number }
  | ({ readonly kind: 'allocate' } & AddressWork)
  | ({ readonly kind: 'deallocate' } & AddressWork)
  /** Gives back what pods held that are no more, as their kubelet would. Waits for those that are ending. */
  | ({ readonly kind: 'release-evicted' } & AddressWork)
  | { readonly kind: 'taint'; readonly nodes: NodeSet; readonly taint: Taint }
  | { readonly kind: 'untaint'; readonly nodes: NodeSet; readonly key: string }
  | { readonly kind: 'fault'; readonly nodes: NodeSet; readonly fault: Fault }
  /** Ends the faults of a kind, or all. */
  | { readonly kind: 'heal'; readonly nodes: NodeSet; readonly what: FaultKind | undefined }
  | { readonly kind: 'apply-manifest' | 'delete-manifest'; readonly manifest: string }
  | { readonly kind: 'await'; readonly goal: Goal; readonly withinMs: number }
  | { readonly kind: 'hold'; readonly forMs: number };

export type ActionKind = PlannedAction['kind'];
export const STEP_KINDS = [
  'scale',
  'allocate',
  'deallocate',
  'taint',
  'untaint',
  'restart',
  'fault',
  'heal',
  'churn',
  'apply',
  'delete',
  'hold',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export interface PlannedStep {
  readonly name: string;
  readonly kind: StepKind;
  /** Fake nodes before and after the step. */
  readonly nodesBefore: number;
  readonly nodesAfter: number;
  readonly actions: readonly PlannedAction[];
  readonly goal: Goal;
  /** How fake nodes are taken away, where the step takes any away. */
  readonly removal: RemovalOrder | undefined;
  /** Bounds the convergence time, from the first action; or from the end of the last. */
  readonly withinMs: number;
  /** Whether it is from the end of the last, because the actions take their time on purpose. */
  readonly boundsFromEnd?: boolean;
  /** How long everything must stay as it is before the step counts as converged. */
  readonly settleMs: number;
  readonly onMiss: 'stop' | 'continue';
  /** Whether the step is over when its actions are: what it did keeps its goal from being reached. */
  readonly awaitsNothing?: boolean;
  /** The timing metrics that will have samples in this step: milestones, `gone`, `allocate`, `recovery`. */
  readonly samples: readonly string[];
}

/** One line of arithmetic that says whether a network can hold what the steps ask for. */
export interface CapacityLine {
  readonly network: string;
  /** The arithmetic, for people: `200 nodes need 200 blocks; 10.244.0.0/16 by /24 has 256`. */
  readonly text: string;
  readonly needed: number;
  readonly available: number;
  /** What is counted. Default: blocks. */
  readonly of?: 'address';
  /** The milestones that nodes beyond the capacity cannot reach. */
  readonly milestones: readonly string[];
  /** What to change when there is not enough: `raise hostBlock`. */
  readonly remedy: string;
  /** Whether a lack is refused also where overflow is expected, because no node at all could be served. */
  readonly isVital?: boolean;
}

/** A limit of the scenario. */
export interface PlannedThreshold {
  readonly expr: string;
  /** How long it must have been hopeless before the run is ended; null: it only decides the verdict. */
  readonly abortAfterMs: number | null;
}

/** Everything `sim run` will do, decided before anything is started. A plain value. */
export interface Plan {
  readonly schema: 'sim.plan/1';
  readonly scenario: string;
  readonly seed: number;
  readonly profile: string;
  /** The most fake nodes that exist at one time, probes included. */
  readonly peakNodes: number;
  readonly capacity: readonly CapacityLine[];
  /** Whether nodes and pods may go without, because there are more of them than fit. */
  readonly overflowExpected: boolean;
  readonly steps: readonly PlannedStep[];
  readonly thresholds: readonly PlannedThreshold[];
  /** Bounds the whole run, cluster start and tear-down apart. */
  readonly timeoutMs: number;
}
