import type { PlannedAction, PlannedStep } from '../model/plan.ts';
import type { StepBody } from '../scenario/step-shapes.ts';
import type { StepContext } from './step-context.ts';

/** Up: nodes are created in order. Down: the highest go first, with their pods in the order that is asked for. */
export function planScale(step: StepBody<'scale'>, context: StepContext): PlannedStep {
  const { before, after, pods } = context;
  pods.forget(pods.nodes().filter((node) => node > after));
  return {
    name: context.name,
    kind: 'scale',
    nodesBefore: before,
    nodesAfter: after,
    actions: after >= before ? scaleUp(step, context) : scaleDown(step, context),
    goal: context.goalFor(after),
    removal: after < before ? step.remove : undefined,
    withinMs: step.within,
    settleMs: context.settleMs,
    onMiss: step.onMiss,
    samples: [],
  };
}

function scaleUp(step: StepBody<'scale'>, { before, after }: StepContext): PlannedAction[] {
  const actions: PlannedAction[] = disturbances(step, before);
  for (let node = before + 1; node <= after; node++)
    actions.push({ kind: 'create-node', node }, ...disturbances(step, node));
  return actions;
}

function scaleDown(step: StepBody<'scale'>, { before, after }: StepContext): PlannedAction[] {
  const deletions: PlannedAction[] = disturbances(step, before);
  for (let node = before; node > after; node--)
    deletions.push({ kind: 'delete-node', node }, ...disturbances(step, node - 1));
  const pods: PlannedAction = { kind: 'delete-pods', nodes: { from: after + 1, to: before } };
  switch (step.remove) {
    case 'node-first':
      return [...deletions, pods];
    case 'pods-first':
      return [pods, ...deletions];
    case 'node-only':
      return deletions;
  }
}

const disturbances = (step: StepBody<'scale'>, nodes: number): PlannedAction[] =>
  step.during
    .filter(({ at }) => at === nodes)
    .map(({ restart: { signal } }) => ({ kind: 'restart-controller', signal }));
