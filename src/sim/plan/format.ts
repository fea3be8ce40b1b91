import { assertNever } from '../base/assert-never.ts';
import { formatDuration } from '../base/duration.ts';
import {
  formatRange,
  formatSet,
  nodeName,
  rangeSize,
  setOf,
  type NodeRange,
} from '../base/node-names.ts';
import { count } from '../base/text.ts';
import type { ControllerSpec } from '../model/controller-spec.ts';
import { formatFault } from '../model/fault.ts';
import type { AddressWork, Plan, PlannedAction, PlannedStep } from '../model/plan.ts';
import { controllerLine } from './controller-line.ts';

/** The plan for people: each step with its actions, neighbours of a kind in one line. */
export function formatPlan(plan: Plan, controller: ControllerSpec): readonly string[] {
  return [
    `plan of ${plan.scenario}: operator ${plan.profile}, ${count(plan.steps.length, 'step')}, ` +
      `at most ${count(plan.peakNodes, 'node')} at a time, at most ${formatDuration(plan.timeoutMs)}, seed ${plan.seed}`,
    controllerLine(controller),
    ...plan.capacity.map(({ network, text }) => `capacity of ${network}: ${text}`),
    ...plan.steps.flatMap(formatStep),
  ];
}

function formatStep(step: PlannedStep, i: number): readonly string[] {
  const { nodesBefore, nodesAfter } = step;
  const nodes =
    nodesBefore === nodesAfter
      ? count(nodesAfter, 'node')
      : `${nodesBefore} → ${count(nodesAfter, 'node')}`;
  const bound =
    step.withinMs === 0
      ? 'nothing may be lost'
      : `within ${formatDuration(step.withinMs)}${step.boundsFromEnd === true ? ' of the last action' : ''}, ` +
        `settled for ${formatDuration(step.settleMs)}`;
  return [
    '',
    `${i + 1}. ${step.name}: ${nodes}, ${bound}`,
    ...actionLines(step).map((line) => `   ${line}`),
    `   goal: ${step.awaitsNothing === true ? 'none' : formatGoal(step)}`,
  ];
}

function formatGoal({ goal, removal }: PlannedStep): string {
  const served = Object.entries(goal.servedAtMost).map(([m, most]) => `${m} for ${most} of them`);
  const parts = [
    `${goal.milestones.join(', ')} for ${formatRange(goal.nodes)}`,
    ...(served.length > 0 ? [`but only ${served.join(' and ')}, as many as fit`] : []),
    ...(removal ? [`nothing left of the removed ones (${removal})`] : []),
  ];
  return parts.join('; ');
}

/** A churn is always the same, node after node. */
function actionLines({ kind, actions, removal }: PlannedStep): readonly string[] {
  if (kind !== 'churn') return grouped(actions);
  const replaced = actions.flatMap((action) =>
    action.kind === 'create-node' ? [action.node] : [],
  );
  const pause = actions.find((action) => action.kind === 'hold');
  const every = formatDuration(pause?.forMs ?? 0);
  return [
    `replace ${formatSet(setOf(replaced))}: ${count(replaced.length, 'time')}, one every ${every} (${removal ?? ''})`,
  ];
}

/** A thousand creations are one line. */
function grouped(actions: readonly PlannedAction[]): readonly string[] {
  const lines: string[] = [];
  for (let i = 0; i < actions.length;) {
    const first = actions[i];
    if (!first) break;
    let end = i + 1;
    while (actions[end]?.kind === first.kind && 'node' in first) end++;
    lines.push(formatActions(actions.slice(i, end)));
    i = end;
  }
  return lines;
}

function formatActions(group: readonly PlannedAction[]): string {
  const [first] = group;
  if (!first) return '';
  switch (first.kind) {
    case 'create-node':
      return `create ${nodesOf(group)}`;
    case 'delete-node':
      return `delete ${nodesOf(group)}`;
    case 'delete-pods':
      return `delete the pods on ${formatRange(first.nodes)}`;
    case 'restart-controller':
      return `restart the controller with ${first.signal}`;
    case 'restart-component':
      return `restart ${first.component} with ${first.signal}`;
    case 'restart-daemons': {
      const down = first.downMs > 0 ? `, down for ${formatDuration(first.downMs)}` : '';
      return `restart the daemons of ${formatSet(first.nodes)}${down}`;
    }
    case 'allocate':
      return `ask for addresses for ${podsOf(first)}, ${formatArrival(first)}`;
    case 'deallocate':
      return `give back the addresses of ${podsOf(first)}, ${formatArrival(first)}`;
    case 'release-evicted':
      return `give back the addresses of ${podsOf(first)}, once they are evicted`;
    case 'taint': {
      const { key, value, effect } = first.taint;
      return `taint ${formatSet(first.nodes)} with ${key}${value === '' ? '' : `=${value}`}:${effect}`;
    }
    case 'untaint':
      return `take the taint ${first.key} from ${formatSet(first.nodes)}`;
    case 'fault':
      return `fault: ${formatFault(first.fault)} on ${formatSet(first.nodes)}`;
    case 'heal':
      return `heal ${first.what ?? 'all faults'} on ${formatSet(first.nodes)}`;
    case 'apply-manifest':
      return `apply ${first.manifest}`;
    case 'delete-manifest':
      return `delete the objects of ${first.manifest}`;
    case 'await':
      return `wait for ${first.goal.milestones.join(', ')} on ${formatRange(first.goal.nodes)}`;
    case 'hold':
      return `hold for ${formatDuration(first.forMs)}`;
    default:
      return assertNever(first);
  }
}

const podsOf = ({ work, podObjects }: AddressWork): string => {
  const pods = work.reduce(
    (sum, one) => sum + rangeSize(one.nodes) * (one.pods.to - one.pods.from + 1),
    0,
  );
  const objects = podObjects === 'none' ? '' : ' with objects';
  return `${count(pods, 'pod')}${objects} on ${work.map(({ nodes }) => formatRange(nodes)).join(', ')}`;
};

const formatArrival = ({ arrival }: AddressWork): string =>
  arrival.kind === 'at-once' ? 'all at once' : `${arrival.perSecond} a second (${arrival.kind})`;

function nodesOf(group: readonly PlannedAction[]): string {
  const nodes = group.flatMap((action) => ('node' in action ? [action.node] : []));
  const range: NodeRange = { from: Math.min(...nodes), to: Math.max(...nodes) };
  return nodes.length === 1 ? nodeName(range.from) : `${formatRange(range)} (${nodes.length})`;
}
