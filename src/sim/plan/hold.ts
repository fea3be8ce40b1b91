import type { StepBody } from '../scenario/step-shapes.ts';
import type { StepContext, StepDraft } from './step-context.ts';

/** Everything that holds must go on holding: with a bound of zero, any loss misses the goal. */
export function planHold(step: StepBody<'hold'>, context: StepContext): StepDraft {
  return {
    name: context.name,
    kind: 'hold',
    nodesBefore: context.before,
    nodesAfter: context.after,
    actions: [{ kind: 'hold', forMs: step.for }],
    goal: context.goalFor(context.after),
    removal: undefined,
    withinMs: 0,
    settleMs: 0,
    onMiss: step.onMiss,
  };
}
