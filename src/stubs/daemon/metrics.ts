import { metricText, type Sample } from '../metric-text.ts';
import type { CallCounts } from './call-counts.ts';
import type { Daemon } from './daemon.ts';

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
