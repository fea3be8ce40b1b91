import { assertNever } from '../base/assert-never.ts';
import { count } from '../base/text.ts';
import type { OperatorModel, OperatorProfile } from '../model/operator-profile.ts';
import type { CapacityLine, Goal, Plan, PlannedStep } from '../model/plan.ts';
import type { RuleProblem } from '../scenario/rules.ts';
import type { Scenario } from '../scenario/schema.ts';
import { nodeCounts, stepNames } from '../scenario/steps.ts';
import type { ScenarioStep } from '../scenario/step-shapes.ts';
import { planHold } from './hold.ts';
import { planRestart } from './restart.ts';
import { planScale } from './scale.ts';
import type { StepContext } from './step-context.ts';

/** Added to the sum of all steps when a scenario sets no time-out of its own. */
const SPARE_MS = 120_000;

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
  const steps = scenario.steps.map((step, i) =>
    planStep(step, {
      name: names[i] ?? step.kind,
      before: counts[i]?.before ?? 0,
      after: counts[i]?.after ?? 0,
      settleMs: ('settle' in step ? step.settle : undefined) ?? scenario.settleMs,
      goalFor: (nodes) => goalFor(nodes, model),
      // Where overflow is refused, a probe that does not fit is refused with the rest, and never left out in silence.
      fits: (nodes) => scenario.overflow === 'refused' || model.capacity(nodes).every(isEnough),
    }),
  );
  const peakNodes = Math.max(0, ...steps.map(peakOf));
  const capacity = model.capacity(peakNodes);
  const problems = capacityProblems(capacity, model, scenario.overflow === 'expected');
  if (problems.length > 0) return { ok: false, problems };
  const plan: Plan = {
    schema: 'sim.plan/1',
    scenario: scenario.name,
    seed: scenario.seed,
    profile: profile.name,
    peakNodes,
    capacity,
    steps,
    thresholds: scenario.expect.map(({ expr, abortAfterMs = null }) => ({ expr, abortAfterMs })),
    timeoutMs: scenario.timeoutMs ?? steps.reduce((sum, step) => sum + longest(step), SPARE_MS),
  };
  return { ok: true, plan, model };
}

function planStep(step: ScenarioStep, context: StepContext): PlannedStep {
  switch (step.kind) {
    case 'scale':
      return planScale(step, context);
    case 'hold':
      return planHold(step, context);
    case 'restart':
      return planRestart(step, context);
    default:
      return assertNever(step);
  }
}

function goalFor(nodes: number, model: OperatorModel): Goal {
  const servedAtMost: Record<string, number> = {};
  for (const line of model.capacity(nodes).filter((l) => !isEnough(l))) {
    const most = Math.floor((nodes * line.available) / line.needed);
    for (const milestone of line.milestones)
      servedAtMost[milestone] = Math.min(servedAtMost[milestone] ?? most, most); // the tightest network decides
  }
  return {
    nodes: { from: 1, to: nodes },
    milestones: model.milestones.map(({ name }) => name),
    servedAtMost,
  };
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
          `${count(line.needed - line.available, 'block')} short; ` +
          `${line.remedy}, or say \`overflow: expected\``,
    }));
}

function peakOf(step: PlannedStep): number {
  const created = step.actions.flatMap((action) =>
    action.kind === 'create-node' ? [action.node] : [],
  );
  return Math.max(step.nodesBefore, step.nodesAfter, ...created);
}

const longest = ({ actions, withinMs, settleMs }: PlannedStep): number =>
  withinMs +
  settleMs +
  actions.reduce((sum, action) => sum + (action.kind === 'hold' ? action.forMs : 0), 0);
