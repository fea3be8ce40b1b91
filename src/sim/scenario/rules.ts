import { some } from '../base/text.ts';
import {
  allowsStatistic,
  metricKind,
  metricNames,
  parseThreshold,
  STATISTICS,
  type Threshold,
} from '../model/threshold.ts';
import type { OperatorProfile } from '../model/operator-profile.ts';
import type { Scenario } from './schema.ts';
import { hasMetric, stepNames } from './steps.ts';

export interface RuleProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** All that rules read, so that they can run while other parts of a scenario have problems. */
type RuledPart = Pick<Scenario, 'steps' | 'expect'>;

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
    name: 'thresholds speak of steps and metrics that there are',
    check: (scenario, profile) =>
      scenario.expect.flatMap(({ expr }, i) => {
        const parsed = parseThreshold(expr);
        const message = parsed.ok
          ? thresholdProblem(parsed.threshold, scenario, profile)
          : undefined;
        return message === undefined ? [] : [{ path: ['expect', i], message }];
      }),
  },
];

function thresholdProblem(
  { step, stat, metric }: Threshold,
  scenario: RuledPart,
  profile: OperatorProfile,
): string | undefined {
  const names = { milestones: profile.milestoneNames, counters: profile.counterNames };
  const kind = metricKind(metric.name, names);
  if (!kind)
    return `unknown metric "${metric.name}", expected one of ${metricNames(names).join(', ')}`;
  if (!allowsStatistic(kind, stat))
    return `${metric.name} has no statistic "${stat}", expected one of ${STATISTICS[kind].join(', ')}`;
  if (kind !== 'requests' && Object.keys(metric.labels).length > 0)
    return `${metric.name} has no labels, only api.requests has`;
  const all = stepNames(scenario.steps);
  if (step !== undefined && !all.includes(step))
    return `unknown step "${step}", expected one of ${some(all, 20)}`;
  const covered = hasMetric(scenario.steps, kind, metric.name);
  if (step === undefined ? covered.length === 0 : !covered.includes(step))
    return `no step that it covers has samples of ${metric.name}`;
  return undefined;
}
