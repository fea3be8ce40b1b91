import { isRecord } from '../base/json.ts';
import { highestOf, nodeName } from '../base/node-names.ts';
import { some } from '../base/text.ts';
import { LEASES } from '../model/metric.ts';
import { parseExpression, parseThreshold, type Threshold } from '../model/threshold.ts';
import type { OperatorProfile } from '../model/operator-profile.ts';
import type { Scenario } from './schema.ts';
import { endsByItself } from './fault-shape.ts';
import type { ScenarioStep } from './step-shapes.ts';
import { hasMetric, nodeCounts, stepNames } from './steps.ts';

export interface RuleProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** All that rules read, so that they can run while other parts of a scenario have problems. */
type RuledPart = Pick<Scenario, 'steps' | 'expect' | 'networks'>;

interface Rule {
  readonly name: string;
  readonly check: (scenario: RuledPart, profile: OperatorProfile) => readonly RuleProblem[];
}

/** What the shape alone cannot say. Each rule adds its own problems; all of them are reported at once. */
export const RULES: readonly Rule[] = [
  {
    name: 'step names are unique',
    check: ({ steps }) =>
      steps.flatMap(({ name }, i) => {
        const first = steps.findIndex((other) => other.name === name);
        if (name === undefined || first === i) return [];
        return [
          {
            path: ['steps', i, steps[i]?.kind ?? '', 'name'],
            message: `step ${first + 1} is called "${name}" too`,
          },
        ];
      }),
  },
  {
    name: 'what happens during a scale step lies between its ends',
    check: ({ steps }) => {
      let nodes = 0;
      return steps.flatMap((step, i) => {
        if (step.kind !== 'scale') return [];
        const [low, high] = [Math.min(nodes, step.to), Math.max(nodes, step.to)];
        nodes = step.to;
        return step.during.flatMap(({ at }, j) =>
          at >= low && at <= high
            ? []
            : [
                {
                  path: ['steps', i, 'scale', 'during', j, 'at'],
                  message: `expected a number of nodes from ${low} to ${high}, between which the step goes, got ${at}`,
                },
              ],
        );
      });
    },
  },
  {
    name: 'steps concern nodes that there are',
    check: ({ steps }) => {
      const counts = nodeCounts(steps);
      return steps.flatMap((step, i) => {
        const there = counts[i]?.before ?? 0;
        const highest = highestNode(step);
        if (highest === undefined || highest.node <= there) return [];
        return [
          {
            path: ['steps', i, step.kind, highest.key],
            message: `there ${there === 1 ? 'is 1 node' : `are ${there} nodes`} then, and no ${nodeName(highest.node)}`,
          },
        ];
      });
    },
  },
  {
    name: 'steps ask for what the operator has',
    check: ({ steps }, { name, milestoneNames, hasDaemons }) =>
      steps.flatMap((step, i) => {
        const path = ['steps', i, step.kind];
        const asks = step.kind === 'allocate' || step.kind === 'deallocate';
        if (asks && !milestoneNames.includes(LEASES))
          return [{ path, message: `${name} has no daemons that give out addresses` }];
        const dials =
          step.kind === 'fault' ||
          step.kind === 'heal' ||
          (step.kind === 'restart' && step.what.startsWith('daemon'));
        return dials && hasDaemons !== true
          ? [{ path, message: `${name} has no daemons that could fail or be restarted` }]
          : [];
      }),
  },
  {
    name: 'there is something to give back and to heal',
    check: ({ steps }) =>
      steps.flatMap((step, i) => {
        const before = steps.slice(0, i);
        const path = ['steps', i, step.kind];
        if (step.kind === 'deallocate' && !before.some(({ kind }) => kind === 'allocate'))
          return [{ path, message: 'no step before it allocates' }];
        if (
          step.kind === 'heal' &&
          !before.some((one) => one.kind === 'fault' && !endsByItself(one))
        )
          return [{ path, message: 'no step before it has a fault that is not over by itself' }];
        return [];
      }),
  },
  {
    name: 'thresholds speak of steps, networks and metrics that there are, in their units',
    check: (scenario, profile) => {
      const names = { milestones: profile.milestoneNames, counters: profile.counterNames };
      return scenario.expect.flatMap(({ expr }, i) => {
        if (!parseExpression(expr).ok) return []; // the shape tells of that
        const parsed = parseThreshold(expr, names);
        const message = parsed.ok ? placeProblem(parsed.threshold, scenario) : parsed.problem;
        return message === undefined ? [] : [{ path: ['expect', i], message }];
      });
    },
  },
];

/** Faults and heals apart: they may concern nodes that are not there yet. */
function highestNode(
  step: ScenarioStep,
): { readonly key: string; readonly node: number } | undefined {
  switch (step.kind) {
    case 'allocate':
    case 'deallocate':
    case 'taint':
    case 'untaint':
    case 'churn':
      return step.nodes && { key: 'nodes', node: highestOf(step.nodes) };
    case 'restart':
      return step.node === undefined ? undefined : { key: 'node', node: step.node };
    case 'fault':
      // A pod can only be not Ready when it is there.
      return step.fault.kind === 'not-ready'
        ? { key: 'nodes', node: highestOf(step.nodes) }
        : undefined;
    default:
      return undefined;
  }
}

/** What is wrong with the step or the network that a threshold names. */
function placeProblem(
  { step, kind, metric }: Threshold,
  { steps, networks }: RuledPart,
): string | undefined {
  const all = stepNames(steps);
  if (step !== undefined && !all.includes(step))
    return `unknown step "${step}", expected one of ${some(all, 20)}`;
  const covered = hasMetric(steps, kind, metric.name);
  if (step === undefined ? covered.length === 0 : !covered.includes(step))
    return `no step that it covers has samples of ${metric.name}`;
  const known = networkNames(networks);
  if (metric.network !== undefined && known.length > 0 && !known.includes(metric.network))
    return `unknown network "${metric.network}", expected one of ${some(known, 20)}`;
  return undefined;
}

/** Profiles own the shape of a network; each of theirs has a name. */
const networkNames = (networks: readonly unknown[]): readonly string[] =>
  networks.flatMap((network) =>
    isRecord(network) && typeof network['name'] === 'string' ? [network['name']] : [],
  );
