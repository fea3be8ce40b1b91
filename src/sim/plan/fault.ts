import { indexesOfSet, setOf } from '../base/node-names.ts';
import { isMomentary } from '../model/fault.ts';
import type { PlannedAction } from '../model/plan.ts';
import { endsByItself } from '../scenario/fault-shape.ts';
import type { StepBody } from '../scenario/step-shapes.ts';
import { awaitingStep, type StepContext, type StepDraft } from './step-context.ts';

/** A fault that stays is not waited for; one that goes by itself is, until everything holds again. */
export function planFault(step: StepBody<'fault'>, context: StepContext): StepDraft {
  const { nodes, fault, for: forMs, times } = step;
  const begin: PlannedAction = { kind: 'fault', nodes, fault };
  if (!endsByItself(step)) {
    context.faults.push({ nodes, kind: fault.kind });
    return { ...awaitingStep('fault', step, context, [begin]), awaitsNothing: true };
  }
  if (isMomentary(fault)) return awaitingStep('fault', step, context, [begin]);
  const wait: PlannedAction = { kind: 'hold', forMs: forMs ?? 0 };
  const once: readonly PlannedAction[] = [begin, wait, { kind: 'heal', nodes, what: fault.kind }];
  const all = Array.from({ length: times }, (_, i) => (i === 0 ? once : [wait, ...once])).flat();
  return awaitingStep('fault', step, context, all);
}

/** Ends the faults that are there; then everything must hold. */
export function planHeal(step: StepBody<'heal'>, context: StepContext): StepDraft {
  const ended = context.faults.filter(({ kind }) => step.what === undefined || kind === step.what);
  const nodes = step.nodes ?? setOf(ended.flatMap((one) => indexesOfSet(one.nodes)));
  if (step.nodes === undefined) for (const one of ended) remove(context.faults, one);
  return awaitingStep('heal', step, context, [{ kind: 'heal', nodes, what: step.what }]);
}

const remove = <T>(list: T[], one: T): void => void list.splice(list.indexOf(one), 1);
