import type { PlannedStep } from '../model/plan.ts';
import type { StepBody } from '../scenario/step-shapes.ts';
import { releaseEvicted } from './allocate.ts';
import { steadyStep, type StepContext } from './step-context.ts';

/** Where pods are evicted, what they held is given back, as their kubelet would. */
export function planTaint(step: StepBody<'taint'>, context: StepContext): PlannedStep {
  const { nodes, key, value, effect } = step;
  const evicted = effect === 'NoExecute' ? context.pods.takeObjects(nodes) : [];
  return steadyStep('taint', step, context, [
    { kind: 'taint', nodes, taint: { key, value, effect } },
    ...evicted.map(releaseEvicted),
  ]);
}

/** Whatever value and effect the taint has. */
export function planUntaint(step: StepBody<'untaint'>, context: StepContext): PlannedStep {
  const { nodes, key } = step;
  return steadyStep('untaint', step, context, [{ kind: 'untaint', nodes, key }]);
}
