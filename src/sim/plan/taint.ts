import type { StepBody } from '../scenario/step-shapes.ts';
import { releaseEvicted } from './allocate.ts';
import { awaitingStep, type StepContext, type StepDraft } from './step-context.ts';

/** Where pods are evicted, what they held is given back, as their kubelet would. */
export function planTaint(step: StepBody<'taint'>, context: StepContext): StepDraft {
  const { nodes, key, value, effect } = step;
  const evicted = effect === 'NoExecute' ? context.pods.takeObjects(nodes) : [];
  return awaitingStep('taint', step, context, [
    { kind: 'taint', nodes, taint: { key, value, effect } },
    ...evicted.map(releaseEvicted),
  ]);
}

/** Whatever value and effect the taint has. */
export function planUntaint(step: StepBody<'untaint'>, context: StepContext): StepDraft {
  const { nodes, key } = step;
  return awaitingStep('untaint', step, context, [{ kind: 'untaint', nodes, key }]);
}
