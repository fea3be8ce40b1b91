import type { PlannedAction } from '../model/plan.ts';
import type { StepBody } from '../scenario/step-shapes.ts';
import { inRemovalOrder } from './removal.ts';
import { awaitingStep, type StepContext, type StepDraft } from './step-context.ts';

/** Up: nodes are created in order. Down: the highest go first, with their pods in the order that is asked for. */
export function planScale(step: StepBody<'scale'>, context: StepContext): StepDraft {
  const { before, after, pods } = context;
  pods.forget(pods.nodes().filter((node) => node > after));
  const actions = after >= before ? scaleUp(step, context) : scaleDown(step, context);
  return {
    ...awaitingStep('scale', step, context, actions),
    removal: after < before ? step.remove : undefined,
  };
}

function scaleUp(step: StepBody<'scale'>, { before, after }: StepContext): PlannedAction[] {
  const actions: PlannedAction[] = disturbances(step, before);
  for (let node = before + 1; node <= after; node++)
    actions.push({ kind: 'create-node', node }, ...disturbances(step, node));
  return actions;
}

function scaleDown(
  step: StepBody<'scale'>,
  { before, after }: StepContext,
): readonly PlannedAction[] {
  const deletions: PlannedAction[] = disturbances(step, before);
  for (let node = before; node > after; node--)
    deletions.push({ kind: 'delete-node', node }, ...disturbances(step, node - 1));
  return inRemovalOrder(step.remove, deletions, { from: after + 1, to: before });
}

const disturbances = (step: StepBody<'scale'>, nodes: number): PlannedAction[] =>
  step.during
    .filter(({ at }) => at === nodes)
    .map(({ restart: { signal } }) => ({ kind: 'restart-controller', signal }));
