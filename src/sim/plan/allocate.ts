import type { Arrival, PlannedAction } from '../model/plan.ts';
import type { StepBody } from '../scenario/step-shapes.ts';
import type { PodWork } from './pod-book.ts';
import { allNodes, awaitingStep, type StepContext, type StepDraft } from './step-context.ts';

type Body = Pick<StepBody<'allocate'>, 'rate' | 'arrival' | 'attempts'>;

/** More pods ask for addresses. */
export function planAllocate(step: StepBody<'allocate'>, context: StepContext): StepDraft {
  const nodes = step.nodes ?? allNodes(context);
  const work = context.pods.add(nodes, step.podsPerNode, step.podObjects);
  return awaitingStep('allocate', step, context, [actionOf('allocate', work, step)]);
}

/** Pods give their addresses back, the oldest first. */
export function planDeallocate(step: StepBody<'deallocate'>, context: StepContext): StepDraft {
  const nodes = step.nodes ?? allNodes(context);
  const works = context.pods.take(nodes, step.podsPerNode);
  const actions = works.map((work) => actionOf('deallocate', work, step));
  return awaitingStep('deallocate', step, context, actions);
}

/** What a kubelet does for pods that were evicted from its node. */
export const releaseEvicted = (work: PodWork): PlannedAction =>
  actionOf('release-evicted', work, { rate: undefined, arrival: 'constant', attempts: 6 });

const actionOf = (
  kind: 'allocate' | 'deallocate' | 'release-evicted',
  { work, podObjects }: PodWork,
  { rate, arrival, attempts }: Body,
): PlannedAction => ({ kind, work, podObjects, attempts, arrival: arrivalOf(rate, arrival) });

const arrivalOf = (rate: number | undefined, kind: Body['arrival']): Arrival =>
  rate === undefined ? { kind: 'at-once' } : { kind, perSecond: rate };
