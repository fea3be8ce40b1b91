import {
  API_VERBS,
  metricKind,
  metricNames,
  STATISTICS,
  unitOf,
  type MetricKind,
  type MetricNames,
} from './metric.ts';
import {
  describeUnit,
  describeWritten,
  isValue,
  readValue,
  type MetricUnit,
} from './metric-unit.ts';

export interface Metric {
  /** The one network whose counter it is; undefined: all networks. */
  readonly network: string | undefined;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export const OPERATORS = ['<=', '>=', '==', '<', '>'] as const;
export type Operator = (typeof OPERATORS)[number];

/** `[step(NAME).]STAT(METRIC) OP VALUE`, taken apart. */
export interface ThresholdExpression {
  readonly expr: string;
  /** The one step it is about; undefined: every step that has the metric. */
  readonly step: string | undefined;
  /** `min`, `p1` … `p99`, `max`, `all`, `count`, `rate`, `sum`, `regressions`. */
  readonly stat: string;
  readonly metric: Metric;
  readonly operator: Operator;
  /** As it is written. */
  readonly value: string;
}

/** A threshold on a metric that there is. */
export interface Threshold extends ThresholdExpression {
  readonly kind: MetricKind;
  readonly unit: MetricUnit;
  /** In the unit. */
  readonly limit: number;
}

const SHAPE =
  /^(?:step\((?<step>[^()]+)\)\.)?(?<stat>[a-z][a-z0-9]*)\((?:(?<network>[\w.-]+)\/)?(?<metric>[A-Za-z][\w.-]*)(?:\{(?<labels>[^}]*)\})?\)\s*(?<operator><=|>=|==|<|>)\s*(?<value>\S+)$/;
const LABEL = /^\s*(verb|resource|user)\s*=\s*"?([^",]+?)"?\s*$/;

type Refused = { readonly ok: false; readonly problem: string };
export type ParsedExpression =
  { readonly ok: true; readonly expression: ThresholdExpression } | Refused;
export type ParsedThreshold = { readonly ok: true; readonly threshold: Threshold } | Refused;

/** Takes a threshold apart, whatever metrics there are. */
export function parseExpression(expr: string): ParsedExpression {
  const groups = SHAPE.exec(expr.trim())?.groups;
  if (!groups)
    return refused(
      'expected [step(NAME).]STAT(METRIC) OP VALUE, for example max(cidr) < 30s or step(scale-200).all(cidr) < 60s',
    );
  const { stat = '', metric = '', value = '' } = groups;
  const labels = parseLabels(groups['labels']);
  if (!labels)
    return refused('labels are verb, resource and user, as {verb=create,resource=nodes}');
  if (!isValue(value))
    return refused(
      `cannot read the value "${value}": expected a number, a duration such as 30s or a size such as 300Mi`,
    );
  return {
    ok: true,
    expression: {
      expr: expr.trim(),
      step: groups['step'],
      stat,
      metric: { network: groups['network'], name: metric, labels },
      operator: groups['operator'] as Operator,
      value,
    },
  };
}

/** Reads a threshold on the metrics of a profile. Steps and networks are those of a scenario, which has rules for them. */
export function parseThreshold(expr: string, names: MetricNames): ParsedThreshold {
  const parsed = parseExpression(expr);
  if (!parsed.ok) return parsed;
  const { stat, metric, value } = parsed.expression;
  const kind = metricKind(metric.name, names);
  if (!kind)
    return refused(
      `unknown metric "${metric.name}", expected one of ${metricNames(names).join(', ')}`,
    );
  const unit = unitOf(kind, stat);
  if (!unit)
    return refused(
      `${metric.name} has no statistic "${stat}", expected one of ${[...STATISTICS[kind].keys()].join(', ')}`,
    );
  const misplaced = partProblem(metric, kind);
  if (misplaced !== undefined) return refused(misplaced);
  const limit = readValue(value, unit);
  if (limit === undefined)
    return refused(
      `${stat}(${metric.name}) is ${describeUnit(unit)}, expected ${describeWritten(unit)}, got ${value}`,
    );
  return { ok: true, threshold: { ...parsed.expression, kind, unit, limit } };
}

const refused = (problem: string): Refused => ({ ok: false, problem });

function parseLabels(text: string | undefined): Record<string, string> | undefined {
  const labels: Record<string, string> = {};
  for (const part of (text ?? '').split(',').filter((p) => p.trim() !== '')) {
    const match = LABEL.exec(part);
    if (!match) return undefined;
    labels[match[1] ?? ''] = match[2] ?? '';
  }
  return labels;
}

/** What is wrong with the labels or the network of a metric. */
function partProblem({ name, network, labels }: Metric, kind: MetricKind): string | undefined {
  if (kind !== 'requests' && Object.keys(labels).length > 0)
    return `${name} has no labels, only api.requests has`;
  if (kind !== 'counter' && network !== undefined)
    return `${name} is not of a single network, only counters are`;
  const { verb } = labels;
  if (verb !== undefined && !API_VERBS.includes(verb))
    return `unknown verb "${verb}", expected one of ${API_VERBS.join(', ')}`;
  return undefined;
}
