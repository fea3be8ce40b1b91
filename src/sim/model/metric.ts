import type { MetricUnit } from './metric-unit.ts';

/** What a metric's values are, which decides the statistics it allows. */
export type MetricKind = 'timing' | 'requests' | 'counter' | 'cpu' | 'memory';

/** Statistics by kind of metric, with the unit of each. `pNN` stands for every percentile from p1 to p99. */
export const STATISTICS: Readonly<Record<MetricKind, ReadonlyMap<string, MetricUnit>>> = {
  timing: new Map([
    ...allOf('ms', 'min', 'pNN', 'max', 'all'),
    ...allOf('number', 'count'),
    ...allOf('per-second', 'rate'),
  ]),
  requests: new Map([...allOf('number', 'sum'), ...allOf('per-second', 'rate')]),
  counter: new Map(allOf('number', 'min', 'max', 'regressions')),
  // The sum of what was used is CPU time.
  cpu: new Map([...allOf('cores', 'min', 'pNN', 'max'), ...allOf('ms', 'sum')]),
  memory: new Map(allOf('bytes', 'min', 'pNN', 'max')),
};

/** Metrics that every profile has, besides its milestones and counters. */
const COMMON_METRICS: ReadonlyMap<string, MetricKind> = new Map([
  ['gone', 'timing'],
  ['api.requests', 'requests'],
  ['controller.cpu', 'cpu'],
  ['controller.rss', 'memory'],
]);

/** Verbs of the Kubernetes API, as its audit log has them. */
export const API_VERBS: readonly string[] = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
];

/** What a threshold may speak of in a scenario. */
export interface MetricNames {
  readonly milestones: readonly string[];
  readonly counters: readonly string[];
}

/** The kind of a metric; undefined when the scenario has none of that name. */
export function metricKind(name: string, names: MetricNames): MetricKind | undefined {
  if (names.milestones.includes(name)) return 'timing';
  if (names.counters.includes(name)) return 'counter';
  return COMMON_METRICS.get(name);
}

export const metricNames = (names: MetricNames): readonly string[] => [
  ...names.milestones,
  ...names.counters,
  ...COMMON_METRICS.keys(),
];

/** The unit of a statistic; undefined when the kind of metric does not have it. */
export const unitOf = (kind: MetricKind, stat: string): MetricUnit | undefined =>
  stat === 'pNN' ? undefined : STATISTICS[kind].get(/^p[1-9]\d?$/.test(stat) ? 'pNN' : stat);

function allOf(unit: MetricUnit, ...stats: readonly string[]): (readonly [string, MetricUnit])[] {
  return stats.map((stat) => [stat, unit]);
}
