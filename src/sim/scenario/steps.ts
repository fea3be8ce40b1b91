import { GONE, isSampled, LEASES, RECOVERY, type MetricKind } from '../model/metric.ts';
import { endsByItself } from './fault-shape.ts';
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
    case 'restart':
      return step.node === undefined ? `restart-${step.what}` : `restart-${step.what}-${step.node}`;
    case 'fault':
      return `fault-${step.fault.kind}`;
    case 'heal':
      return step.what === undefined ? 'heal' : `heal-${step.what}`;
    default:
      return step.kind;
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

/** Whether a step has samples of a metric that is measured by events: of nodes, of requests, of recoveries. */
export function hasSamples(
  step: ScenarioStep,
  { before, after }: { readonly before: number; readonly after: number },
  metric: string,
): boolean {
  switch (metric) {
    case GONE:
      return after < before;
    case LEASES:
      return step.kind === 'allocate' || step.kind === 'deallocate';
    case 'allocate':
    case 'deallocate':
      return step.kind === metric;
    case RECOVERY:
      return isDisturbing(step);
    default:
      return after > before || (step.kind === 'churn' && before > 0);
  }
}

const isDisturbing = (step: ScenarioStep): boolean =>
  step.kind === 'restart' ||
  step.kind === 'heal' ||
  (step.kind === 'fault' && endsByItself(step)) ||
  (step.kind === 'scale' && step.during.length > 0);

/** The names of the steps in which a metric will have samples. */
export function hasMetric(
  steps: readonly ScenarioStep[],
  kind: MetricKind,
  metric: string,
): readonly string[] {
  const counts = nodeCounts(steps);
  return stepNames(steps).filter((_, i) => {
    const [step, count] = [steps[i], counts[i]];
    return !isSampled(kind) || (step && count && hasSamples(step, count, metric));
  });
}
