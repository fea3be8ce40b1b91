import type { CallCounts } from './call-counts.ts';
import type { Daemon } from './daemon.ts';

/** One line of Prometheus' text format, for each set of labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric in Prometheus' text format. Three lines by hand are less than a library that has to be told to forget. */
export function metricText(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function labelText(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

export const callSamples = (counts: CallCounts): readonly Sample[] =>
  counts.rows().map(({ path, status, count }) => ({ labels: { path, status }, value: count }));

/** What `/metrics` of one daemon says. */
export function daemonMetrics({ interfaces, routes, counts }: Daemon): string {
  const tables = Object.entries(routes.tables()).map(([network, { count }]) => ({
    labels: { network },
    value: count,
  }));
  return [
    metricText('sim_daemon_interfaces', 'gauge', 'Interfaces that the daemon reports.', [
      { labels: {}, value: interfaces.length },
    ]),
    metricText('sim_daemon_routes', 'gauge', 'Routes of a network.', tables),
    metricText(
      'sim_daemon_calls_total',
      'counter',
      'Calls by path and status; status 0 is a connection that broke before the reply.',
      callSamples(counts),
    ),
  ].join('');
}
