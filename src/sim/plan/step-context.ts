import type { Goal } from '../model/plan.ts';

/** What the planners of the steps need to know. */
export interface StepContext {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly settleMs: number;
  readonly goalFor: (nodes: number) => Goal;
  /** Whether the networks can hold so many nodes. */
  readonly fits: (nodes: number) => boolean;
}
