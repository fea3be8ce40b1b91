import { assertNever } from '../base/assert-never.ts';
import { count } from '../base/text.ts';
import { GONE, LEASES, RECOVERY } from '../model/metric.ts';
import type { OperatorModel, OperatorProfile } from '../model/operator-profile.ts';
import type { CapacityLine, Goal, Plan, PlannedStep } from '../model/plan.ts';
import type { RuleProblem } from '../scenario/rules.ts';
import type { Scenario } from '../scenario/schema.ts';
import { hasSamples, nodeCounts, stepNames } from '../scenario/steps.ts';
import type { ScenarioStep, StepBody } from '../scenario/step-shapes.ts';
import { planAllocate, planDeallocate } from './allocate.ts';
import { planChurn } from './churn.ts';
import { planFault, planHeal } from './fault.ts';
import { planHold } from './hold.ts';
import { PodBook } from './pod-book.ts';
import { planRestart } from './restart.ts';
import { planScale } from './scale.ts';
import {
  pausesOf,
  awaitingStep,
  type StandingFault,
  type StepContext,
  type StepDraft,
} from './step-context.ts';
import { planTaint, planUntaint } from './taint.ts';

/** Added to the sum of all steps when a scenario sets no time-out of its own. */
const SPARE_MS = 120_000;
const SLOWER = 1.5;

export type PlanResult =
  | { readonly ok: true; readonly plan: Plan; readonly model: OperatorModel }
  | { readonly ok: false; readonly problems: readonly RuleProblem[] };

/** Decides everything that a run will do. Pure: the same scenario gives the same plan. */
export function planScenario(scenario: Scenario, profile: OperatorProfile): PlanResult {
  const model = profile.build({
    networks: scenario.networks,
    options: scenario.operator,
    nodes: scenario.nodes,
  });
  const names = stepNames(scenario.steps);
  const counts = nodeCounts(scenario.steps);
  const pods = new PodBook();
  const faults: StandingFault[] = [];
  let mostPods = 0;
  // Nobody shall be asked for what no step asks for.
  const asksForAddresses = scenario.steps.some(({ kind }) => kind === 'allocate');
  const milestones = model.milestones
    .map(({ name }) => name)
    .filter((name) => name !== LEASES || asksForAddresses);
  const metrics = [...milestones, GONE, RECOVERY, 'allocate', 'deallocate'];
  const steps = scenario.steps.map((step, i) => {
    const count = counts[i] ?? { before: 0, after: 0 };
    const planned = planStep(step, {
      name: names[i] ?? step.kind,
      ...count,
      settleMs: ('settle' in step ? step.settle : undefined) ?? scenario.settleMs,
      seed: scenario.seed,
      goalFor: (nodes) => goalFor(nodes, milestones, model),
      // Where overflow is refused, a probe that does not fit is refused with the rest, and never left out in silence.
      fits: (nodes) => scenario.overflow === 'refused' || model.capacity(nodes, 0).every(isEnough),
      pods,
      faults,
    });
    mostPods = Math.max(mostPods, pods.most());
    return { ...planned, samples: metrics.filter((metric) => hasSamples(step, count, metric)) };
  });
  const peakNodes = Math.max(0, ...steps.map(peakOf));
  const capacity = model.capacity(peakNodes, mostPods);
  const problems = capacityProblems(capacity, model, scenario.overflow === 'expected');
  if (problems.length > 0) return { ok: false, problems };
  const plan: Plan = {
    schema: 'sim.plan/1',
    scenario: scenario.name,
    seed: scenario.seed,
    profile: profile.name,
    peakNodes,
    capacity,
    overflowExpected: scenario.overflow === 'expected',
    steps,
    thresholds: scenario.expect.map(({ expr, abortAfterMs = null }) => ({ expr, abortAfterMs })),
    timeoutMs: scenario.timeoutMs ?? steps.reduce((sum, step) => sum + longest(step), SPARE_MS),
  };
  return { ok: true, plan, model };
}

function planStep(step: ScenarioStep, context: StepContext): StepDraft {
  switch (step.kind) {
    case 'scale':
      return planScale(step, context);
    case 'hold':
      return planHold(step, context);
    case 'restart':
      return planRestart(step, context);
    case 'allocate':
      return planAllocate(step, context);
    case 'deallocate':
      return planDeallocate(step, context);
    case 'taint':
      return planTaint(step, context);
    case 'untaint':
      return planUntaint(step, context);
    case 'fault':
      return planFault(step, context);
    case 'heal':
      return planHeal(step, context);
    case 'churn':
      return planChurn(step, context);
    case 'apply':
      return planManifest('apply-manifest', step, context);
    case 'delete':
      return planManifest('delete-manifest', step, context);
    default:
      return assertNever(step);
  }
}

function goalFor(nodes: number, milestones: readonly string[], model: OperatorModel): Goal {
  const servedAtMost: Record<string, number> = {};
  for (const line of model.capacity(nodes, 0).filter((l) => !isEnough(l))) {
    const most = Math.floor((nodes * line.available) / line.needed);
    for (const milestone of line.milestones.filter((one) => milestones.includes(one)))
      servedAtMost[milestone] = Math.min(servedAtMost[milestone] ?? most, most); // the tightest network decides
  }
  return { nodes: { from: 1, to: nodes }, milestones, servedAtMost };
}

const isEnough = ({ needed, available }: CapacityLine): boolean => needed <= available;

function capacityProblems(
  lines: readonly CapacityLine[],
  { networks }: OperatorModel,
  overflowExpected: boolean,
): readonly RuleProblem[] {
  return lines
    .filter((line) => !isEnough(line) && (line.isVital === true || !overflowExpected))
    .map((line) => ({
      path: ['networks', networks.findIndex(({ name }) => name === line.network)],
      message: line.isVital
        ? `network "${line.network}" can serve no node: ${line.text}; ${line.remedy}`
        : `network "${line.network}" is too small: ${line.text}; ` +
          `${shortOf(line)} short; ` +
          `${line.remedy}, or say \`overflow: expected\``,
    }));
}

const shortOf = ({ needed, available, of }: CapacityLine): string =>
  of === 'address'
    ? count(needed - available, 'address', 'addresses')
    : count(needed - available, 'block');

function peakOf(step: PlannedStep): number {
  const created = step.actions.flatMap((action) =>
    action.kind === 'create-node' ? [action.node] : [],
  );
  return Math.max(step.nodesBefore, step.nodesAfter, ...created);
}

/** What is done between rests takes its time, too. */
const longest = ({ actions, withinMs, settleMs, boundsFromEnd }: PlannedStep): number =>
  withinMs + settleMs + (boundsFromEnd === true ? SLOWER : 1) * pausesOf(actions);

/** A manifest is read when the run begins: a recording can be judged without it. */
const planManifest = (
  kind: 'apply-manifest' | 'delete-manifest',
  step: StepBody<'apply'>,
  context: StepContext,
): StepDraft =>
  awaitingStep(kind === 'apply-manifest' ? 'apply' : 'delete', step, context, [
    { kind, manifest: step.manifest },
  ]);
