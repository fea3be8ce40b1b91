import { assertNever } from '../base/assert-never.ts';
import type { MetricKind } from '../model/metric.ts';
import type { ScenarioStep } from './step-shapes.ts';

/** The name of every step: its own, or one made from what it does, with `-2` where it recurs. */
export function stepNames(steps: readonly ScenarioStep[]): readonly string[] {
  const given = new Set(steps.map(({ name }) => name));
  const taken = new Set<string>();
  return steps.map((step) => {
    if (step.name !== undefined) return step.name;
    const base = defaultName(step);
    let name = base;
    for (let n = 2; taken.has(name) || given.has(name); n++) name = `${base}-${n}`;
    taken.add(name);
    return name;
  });
}

function defaultName(step: ScenarioStep): string {
  switch (step.kind) {
    case 'scale':
      return `scale-${step.to}`;
    case 'hold':
      return 'hold';
    case 'restart':
      return `restart-${step.what}`;
    default:
      return assertNever(step);
  }
}

/** How many fake nodes there are before and after each step. */
export function nodeCounts(
  steps: readonly ScenarioStep[],
): readonly { readonly before: number; readonly after: number }[] {
  let nodes = 0;
  return steps.map((step) => {
    const before = nodes;
    if (step.kind === 'scale') nodes = step.to;
    return { before, after: nodes };
  });
}

/** The names of the steps in which a metric will have samples. */
export function hasMetric(
  steps: readonly ScenarioStep[],
  kind: MetricKind,
  metric: string,
): readonly string[] {
  const counts = nodeCounts(steps);
  return stepNames(steps).filter((_, i) => {
    const { before, after } = counts[i] ?? { before: 0, after: 0 };
    if (kind !== 'timing') return true;
    return metric === 'gone' ? after < before : after > before;
  });
}
