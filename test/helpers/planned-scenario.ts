import type { JsonObject } from '../../src/sim/base/json.ts';
import type { OperatorModel, OperatorProfile } from '../../src/sim/model/operator-profile.ts';
import type { Plan } from '../../src/sim/model/plan.ts';
import { planScenario } from '../../src/sim/plan/plan.ts';
import { loadScenario, type LoadResult } from '../../src/sim/scenario/load.ts';
import { formatProblem } from '../../src/sim/scenario/problem.ts';
import { normalise, scenarioSchema, type Scenario } from '../../src/sim/scenario/schema.ts';

/** A scenario with everything that follows from it. */
export interface Planned {
  readonly source: JsonObject;
  readonly scenario: Scenario;
  readonly profile: OperatorProfile;
  readonly plan: Plan;
  readonly model: OperatorModel;
}

/** A scenario for node-ipam as a person would write it: two nodes, and whatever the test changes. */
export const scenarioOf = (changes: JsonObject = {}): JsonObject => ({
  name: 'small',
  operator: { profile: 'node-ipam' },
  networks: [{ name: 'pods', range: '10.244.0.0/16', nodeMask: 24 }],
  settle: '2s',
  steps: [{ scale: { to: 2, within: '30s' } }],
  ...changes,
});

/** A network with room for so many nodes. */
export const networkFor = (nodes: 1 | 2 | 4 | 8): JsonObject => ({
  name: 'pods',
  range: `10.244.0.0/${24 - Math.log2(nodes)}`,
  nodeMask: 24,
});

/** Loads what `sim` would load, through the text of a file. */
export const loadSource = (source: JsonObject): LoadResult =>
  loadScenario('test.yaml', JSON.stringify(source));

/** Loads and plans; a scenario with problems fails the test with all of them. */
export function planned(source: JsonObject): Planned {
  const result = loadSource(source);
  if (!result.ok) throw new Error(result.problems.map(formatProblem).join('\n'));
  const { scenario, profile } = result.loaded;
  return { source, scenario, profile, ...planOf(scenario, profile) };
}

/** The same for a profile that is not in the list of profiles. */
export function plannedFor(profile: OperatorProfile, source: JsonObject): Planned {
  const scenario = normalise(scenarioSchema(profile).parse(source));
  return { source, scenario, profile, ...planOf(scenario, profile) };
}

function planOf(scenario: Scenario, profile: OperatorProfile): Pick<Planned, 'plan' | 'model'> {
  const result = planScenario(scenario, profile);
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join('\n'));
  return { plan: result.plan, model: result.model };
}
