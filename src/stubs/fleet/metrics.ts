import { callSamples } from '../daemon/metrics.ts';
import { metricText } from '../metric-text.ts';
import type { Fleet } from './fleet.ts';

/** What `/metrics` of the whole fleet says. */
export const fleetMetrics = ({ size, counts }: Pick<Fleet, 'size' | 'counts'>): string =>
  [
    metricText('sim_fleet_daemons', 'gauge', 'Daemons that the fleet answers for.', [
      { labels: {}, value: size },
    ]),
    metricText(
      'sim_fleet_calls_total',
      'counter',
      'Calls to all daemons by path and status; status 0 is a connection that broke before the reply.',
      callSamples(counts),
    ),
  ].join('');
