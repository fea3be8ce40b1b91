import { parseDuration } from '../base/duration.ts';
import { parseQuantity } from '../base/quantity.ts';

/** What a metric's values are, which decides the statistics it allows. */
export type MetricKind = 'timing' | 'requests' | 'counter' | 'cpu' | 'memory';

export interface Metric {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export const OPERATORS = ['<=', '>=', '==', '<', '>'] as const;
export type Operator = (typeof OPERATORS)[number];

/** `[step(NAME).]STAT(METRIC) OP VALUE`, taken apart. */
export interface Threshold {
  readonly expr: string;
  /** The one step it is about; undefined: every step that has the metric. */
  readonly step: string | undefined;
  /** `min`, `p1` … `p99`, `max`, `all`, `count`, `rate`, `sum`, `regressions`. */
  readonly stat: string;
  readonly metric: Metric;
  readonly operator: Operator;
  /** Milliseconds, bytes, cores or a plain number, as the metric has it. */
  readonly limit: number;
}

/** Statistics by kind of metric. `pNN` stands for every percentile from p1 to p99. */
export const STATISTICS: Readonly<Record<MetricKind, readonly string[]>> = {
  timing: ['min', 'pNN', 'max', 'all', 'count', 'rate'],
  requests: ['sum', 'rate'],
  counter: ['min', 'max', 'regressions'],
  cpu: ['min', 'pNN', 'max', 'sum'],
  memory: ['min', 'pNN', 'max'],
};

/** Metrics that every profile has, besides its milestones and counters. */
const COMMON_METRICS: Readonly<Record<string, MetricKind>> = {
  gone: 'timing',
  'api.requests': 'requests',
  'controller.cpu': 'cpu',
  'controller.rss': 'memory',
};

/** What a threshold may speak of in a scenario. */
export interface MetricNames {
  readonly milestones: readonly string[];
  readonly counters: readonly string[];
}

const SHAPE =
  /^(?:step\((?<step>[^()]+)\)\.)?(?<stat>[a-z][a-z0-9]*)\((?<metric>[A-Za-z][\w.-]*)(?:\{(?<labels>[^}]*)\})?\)\s*(?<operator><=|>=|==|<|>)\s*(?<value>\S+)$/;
const LABEL = /^\s*(verb|resource|user)\s*=\s*"?([^",]+?)"?\s*$/;

export type ParsedThreshold =
  | { readonly ok: true; readonly threshold: Threshold }
  | { readonly ok: false; readonly problem: string };

/** Reads a threshold. Names are not yet held against a scenario: `checkMetric` does that. */
export function parseThreshold(expr: string): ParsedThreshold {
  const groups = SHAPE.exec(expr.trim())?.groups;
  if (!groups)
    return problem(
      'expected [step(NAME).]STAT(METRIC) OP VALUE, for example max(cidr) < 30s or step(scale-200).all(cidr) < 60s',
    );
  const labels = parseLabels(groups['labels']);
  if (!labels)
    return problem('labels are verb, resource and user, as {verb=create,resource=nodes}');
  const limit = parseLimit(groups['value'] ?? '', groups['metric'] ?? '');
  if (limit === undefined)
    return problem(
      `cannot read the value "${groups['value'] ?? ''}": expected a number, a duration such as 30s or a size such as 300Mi`,
    );
  return {
    ok: true,
    threshold: {
      expr: expr.trim(),
      step: groups['step'],
      stat: groups['stat'] ?? '',
      metric: { name: groups['metric'] ?? '', labels },
      operator: groups['operator'] as Operator,
      limit,
    },
  };
}

const problem = (text: string): ParsedThreshold => ({ ok: false, problem: text });

function parseLabels(text: string | undefined): Record<string, string> | undefined {
  const labels: Record<string, string> = {};
  for (const part of (text ?? '').split(',').filter((p) => p.trim() !== '')) {
    const match = LABEL.exec(part);
    if (!match) return undefined;
    labels[match[1] ?? ''] = match[2] ?? '';
  }
  return labels;
}

/** `5m` is five minutes, but of CPU five thousandths of a core. CPU time is summed in seconds. */
function parseLimit(text: string, metric: string): number | undefined {
  const ms = parseDuration(text);
  if (COMMON_METRICS[metric] !== 'cpu') return ms ?? parseQuantity(text);
  return parseQuantity(text) ?? (ms === undefined ? undefined : ms / 1000);
}

/** The kind of a metric; undefined when the scenario has none of that name. */
export function metricKind(name: string, names: MetricNames): MetricKind | undefined {
  if (names.milestones.includes(name)) return 'timing';
  if (names.counters.includes(name)) return 'counter';
  return COMMON_METRICS[name];
}

export const metricNames = (names: MetricNames): readonly string[] => [
  ...names.milestones,
  ...names.counters,
  ...Object.keys(COMMON_METRICS),
];

/** Whether a kind of metric has a statistic. */
export function allowsStatistic(kind: MetricKind, stat: string): boolean {
  const allowed = STATISTICS[kind];
  return allowed.includes(stat) || (allowed.includes('pNN') && /^p[1-9]\d?$/.test(stat));
}
