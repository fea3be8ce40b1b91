import type { MetricUnit } from './metric-unit.ts';

/** What a metric's values are, which decides the statistics it allows. */
export type MetricKind = 'timing' | 'latency' | 'tally' | 'requests' | 'counter' | 'cpu' | 'memory';

/** The milestone of nodes that were taken away: nothing speaks of them any more. */
export const GONE = 'gone';
/** The milestone of nodes whose pods asked for addresses. */
export const LEASES = 'leases';
/** From the end of a restart or a fault to the moment at which everything held again. */
export const RECOVERY = 'recovery';

/** Statistics by kind of metric, with the unit of each. `pNN` stands for every percentile from p1 to p99. */
export const STATISTICS: Readonly<Record<MetricKind, ReadonlyMap<string, MetricUnit>>> = {
  timing: new Map([
    ...allOf('ms', 'min', 'pNN', 'max', 'all'),
    ...allOf('number', 'count'),
    ...allOf('per-second', 'rate'),
  ]),
  // Of single events rather than of nodes.
  latency: new Map([
    ...allOf('ms', 'min', 'pNN', 'max'),
    ...allOf('number', 'count'),
    ...allOf('per-second', 'rate'),
  ]),
  tally: new Map(allOf('number', 'sum')),
  requests: new Map([...allOf('number', 'sum'), ...allOf('per-second', 'rate')]),
  counter: new Map(allOf('number', 'min', 'max', 'regressions')),
  // The sum of what was used is CPU time.
  cpu: new Map([...allOf('cores', 'min', 'pNN', 'max'), ...allOf('ms', 'sum')]),
  memory: new Map(allOf('bytes', 'min', 'pNN', 'max')),
};

/** Metrics that every profile has, besides its milestones and counters. */
const COMMON_METRICS: ReadonlyMap<string, MetricKind> = new Map([
  [GONE, 'timing'],
  [RECOVERY, 'latency'],

  ['api.requests', 'requests'],
  ['controller.cpu', 'cpu'],
  ['controller.rss', 'memory'],
]);

/** Those of operators whose daemons give out addresses. */
const ADDRESS_METRICS: ReadonlyMap<string, MetricKind> = new Map([
  ['allocate', 'latency'],
  ['deallocate', 'latency'],
  ['allocate.retries', 'tally'],
  ['allocate.partial', 'tally'],
  ['allocate.failed', 'tally'],
]);

/** Whether only some steps have samples of such a metric. */
export const isSampled = (kind: MetricKind): boolean => kind === 'timing' || kind === 'latency';

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
  return COMMON_METRICS.get(name) ?? addressMetrics(names).get(name);
}

export const metricNames = (names: MetricNames): readonly string[] => [
  ...names.milestones,
  ...names.counters,
  ...addressMetrics(names).keys(),
  ...COMMON_METRICS.keys(),
];

const addressMetrics = ({ milestones }: MetricNames): ReadonlyMap<string, MetricKind> =>
  milestones.includes(LEASES) ? ADDRESS_METRICS : new Map<string, MetricKind>();

/** The unit of a statistic; undefined when the kind of metric does not have it. */
export const unitOf = (kind: MetricKind, stat: string): MetricUnit | undefined =>
  stat === 'pNN' ? undefined : STATISTICS[kind].get(/^p[1-9]\d?$/.test(stat) ? 'pNN' : stat);

function allOf(unit: MetricUnit, ...stats: readonly string[]): (readonly [string, MetricUnit])[] {
  return stats.map((stat) => [stat, unit]);
}
