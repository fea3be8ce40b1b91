import type { PlannedAction, PlannedStep } from '../model/plan.ts';
import type { StepBody } from '../scenario/step-shapes.ts';
import type { StepContext } from './step-context.ts';

/** A restart and, unless told otherwise, a proof of life: one more node that must be served, and goes again. */
export function planRestart(step: StepBody<'restart'>, context: StepContext): PlannedStep {
  const { before, after } = context;
  const restart: PlannedAction = { kind: 'restart-controller', signal: step.signal };
  // Where the networks are full on purpose, one more node could not be served by anybody.
  const probe = step.probe && context.fits(before + 1) ? proofOfLife(step, context) : [];
  return {
    name: context.name,
    kind: 'restart',
    nodesBefore: before,
    nodesAfter: after,
    actions: [restart, ...probe],
    goal: context.goalFor(after),
    removal: probe.length > 0 ? 'node-first' : undefined,
    withinMs: step.within,
    settleMs: context.settleMs,
    onMiss: step.onMiss,
    samples: [],
  };
}

function proofOfLife(step: StepBody<'restart'>, context: StepContext): PlannedAction[] {
  const node = context.before + 1;
  const nodes = { from: node, to: node };
  const { milestones } = context.goalFor(node);
  return [
    { kind: 'create-node', node },
    { kind: 'await', goal: { nodes, milestones, servedAtMost: {} }, withinMs: step.within },
    { kind: 'delete-node', node },
    { kind: 'delete-pods', nodes },
  ];
}
