import { assertNever } from '../base/assert-never.ts';
import { setOf } from '../base/node-names.ts';
import type { PlannedAction } from '../model/plan.ts';
import type { StepBody } from '../scenario/step-shapes.ts';
import { awaitingStep, type StepContext, type StepDraft } from './step-context.ts';

/** Restarts and, unless told otherwise, a proof of life: one more node that must be served, and goes again. */
export function planRestart(step: StepBody<'restart'>, context: StepContext): StepDraft {
  const batches = Array.from({ length: step.times }, () => batchesOf(step, context)).flat();
  const restarts = batches.flatMap((batch, i): readonly PlannedAction[] =>
    i > 0 && step.pause > 0 ? [{ kind: 'hold', forMs: step.pause }, batch] : [batch],
  );
  // Where the networks are full on purpose, one more node could not be served by anybody.
  const probe = step.probe && context.fits(context.before + 1) ? proofOfLife(step, context) : [];
  return {
    ...awaitingStep('restart', step, context, [...restarts, ...probe]),
    removal: probe.length > 0 ? 'node-first' : undefined,
  };
}

function batchesOf(
  { what, node, signal, downFor: downMs, atATime }: StepBody<'restart'>,
  { before }: StepContext,
): readonly PlannedAction[] {
  switch (what) {
    case 'controller':
      return [{ kind: 'restart-controller', signal }];
    case 'kwok':
      return [{ kind: 'restart-component', component: 'kwok-controller', signal }];
    case 'daemon':
      return [{ kind: 'restart-daemons', nodes: setOf([node ?? 1]), downMs }];
    case 'daemons': {
      const size = atATime ?? Math.max(1, before);
      return Array.from({ length: Math.ceil(before / size) }, (_, i) => {
        const nodes = [{ from: i * size + 1, to: Math.min(before, (i + 1) * size) }];
        return { kind: 'restart-daemons', nodes, downMs };
      });
    }
    default:
      return assertNever(what);
  }
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
