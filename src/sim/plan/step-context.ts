import type { NodeSet } from '../base/node-names.ts';
import type { FaultKind } from '../model/fault.ts';
import type { Goal, PlannedAction, PlannedStep } from '../model/plan.ts';
import type { PodBook } from './pod-book.ts';

/** A fault that nothing has ended yet. */
export interface StandingFault {
  readonly nodes: NodeSet;
  readonly kind: FaultKind;
}

/** What the planners of the steps need to know. */
export interface StepContext {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly settleMs: number;
  readonly seed: number;
  readonly goalFor: (nodes: number) => Goal;
  /** Whether the networks can hold so many nodes. */
  readonly fits: (nodes: number) => boolean;
  /** The pods that hold addresses. Planners write down what their step does. */
  readonly pods: PodBook;
  /** Planners add and take away. */
  readonly faults: StandingFault[];
}

/** All nodes that there are. */
export const allNodes = ({ before }: StepContext): NodeSet =>
  before === 0 ? [] : [{ from: 1, to: before }];

/** How long the actions do nothing on purpose. */
export const pausesOf = (actions: readonly PlannedAction[]): number =>
  actions.reduce((sum, action) => sum + (action.kind === 'hold' ? action.forMs : 0), 0);

interface CommonKeys {
  readonly within: number;
  readonly onMiss: 'stop' | 'continue';
}

/** A step, but for the metrics that it will have samples of: those follow from the scenario. */
export type StepDraft = Omit<PlannedStep, 'samples'>;

/**
 * A step that waits until all milestones hold. Where it rests on purpose,
 * `within` counts from the end of its actions.
 */
export function awaitingStep(
  kind: PlannedStep['kind'],
  { within, onMiss }: CommonKeys,
  context: StepContext,
  actions: readonly PlannedAction[],
): StepDraft {
  return {
    name: context.name,
    kind,
    nodesBefore: context.before,
    nodesAfter: context.after,
    actions,
    goal: context.goalFor(context.after),
    removal: undefined,
    withinMs: within,
    ...(pausesOf(actions) > 0 ? { boundsFromEnd: true } : {}),
    settleMs: context.settleMs,
    onMiss,
  };
}
