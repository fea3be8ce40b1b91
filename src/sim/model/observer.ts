/** How a wait for a step's goal ended. */
export type GoalAnswer = 'converged' | 'missed';

/** Answers the questions of the steps from what is being recorded. Steps and observers meet only here. */
export interface GoalObserver {
  /** Resolves when the step in progress has converged and settled, or can no longer do so in time. */
  stepDecided(signal: AbortSignal): Promise<GoalAnswer>;
  /** Resolves when the goal of the `await` action in progress is reached; false when it was not in time. */
  awaitedReached(timeoutMs: number, signal: AbortSignal): Promise<boolean>;
}
