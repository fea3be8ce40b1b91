import type { NodeRange } from '../base/node-names.ts';

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

/** One small thing done to the cluster. Neighbours of the same kind run side by side, bounded. */
export type PlannedAction =
  | { readonly kind: 'create-node'; readonly node: number }
  | { readonly kind: 'delete-node'; readonly node: number }
  | { readonly kind: 'delete-pods'; readonly nodes: NodeRange }
  | { readonly kind: 'restart-controller'; readonly signal: RestartSignal }
  | { readonly kind: 'await'; readonly goal: Goal; readonly withinMs: number }
  | { readonly kind: 'hold'; readonly forMs: number };

export type ActionKind = PlannedAction['kind'];
export type StepKind = 'scale' | 'hold' | 'restart';

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
  /** Bounds the convergence time, from the first action. */
  readonly withinMs: number;
  /** How long everything must stay as it is before the step counts as converged. */
  readonly settleMs: number;
  readonly onMiss: 'stop' | 'continue';
  /** The timing metrics that will have samples in this step: milestones, `gone`. */
  readonly samples: readonly string[];
}

/** One line of arithmetic that says whether a network can hold what the steps ask for. */
export interface CapacityLine {
  readonly network: string;
  /** The arithmetic, for people: `200 nodes need 200 blocks; 10.244.0.0/16 by /24 has 256`. */
  readonly text: string;
  readonly needed: number;
  readonly available: number;
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
  readonly steps: readonly PlannedStep[];
  readonly thresholds: readonly PlannedThreshold[];
  /** Bounds the whole run, cluster start and tear-down apart. */
  readonly timeoutMs: number;
}
