import { indexesOfSet } from '../base/node-names.ts';
import { seededRandom } from '../base/seeded-random.ts';
import type { PlannedAction } from '../model/plan.ts';
import type { StepBody } from '../scenario/step-shapes.ts';
import { inRemovalOrder } from './removal.ts';
import { awaitingStep, type StepContext, type StepDraft } from './step-context.ts';

/** Node after node goes and comes again under its name. No node is replaced again before each other was. */
export function planChurn(step: StepBody<'churn'>, context: StepContext): StepDraft {
  const nodes = indexesOfSet(step.nodes);
  const rounds = Math.max(1, Math.floor(step.for / step.every));
  const random = seededRandom(context.seed);
  let order: number[] = [];
  const actions = Array.from({ length: rounds }, (): readonly PlannedAction[] => {
    if (order.length === 0) order = shuffled(nodes, random);
    const node = order.pop() ?? 1;
    context.pods.forget([node]);
    return [...replacement(node, step.remove), { kind: 'hold', forMs: step.every }];
  }).flat();
  const planned = awaitingStep('churn', step, context, actions);
  return { ...planned, removal: step.remove };
}

const replacement = (
  node: number,
  order: StepBody<'churn'>['remove'],
): readonly PlannedAction[] => [
  ...inRemovalOrder(order, [{ kind: 'delete-node', node }], { from: node, to: node }),
  { kind: 'create-node', node },
];

function shuffled(list: readonly number[], random: () => number): number[] {
  const order = [...list];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}
