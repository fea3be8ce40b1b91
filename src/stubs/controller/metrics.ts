import { metricText, type Sample } from '../metric-text.ts';
import type { QueueCounts } from './queue-counts.ts';
import type { RequestCounts } from './request-counts.ts';

interface QueueMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: (loop: string, queue: QueueCounts) => readonly Sample[];
}

const QUEUE_METRICS: readonly QueueMetric[] = [
  {
    name: 'workqueue_depth',
    type: 'gauge',
    help: 'Items that wait for their turn.',
    samples: (name, { depth }) => [{ labels: { name }, value: depth }],
  },
  {
    name: 'workqueue_adds_total',
    type: 'counter',
    help: 'Items that were added to a queue.',
    samples: (name, { adds }) => [{ labels: { name }, value: adds }],
  },
  {
    name: 'workqueue_retries_total',
    type: 'counter',
    help: 'Items that are done again because they failed.',
    samples: (name, { failed }) => [{ labels: { name }, value: failed }],
  },
  {
    name: 'controller_runtime_reconcile_total',
    type: 'counter',
    help: 'Items that were done, by result.',
    samples: (controller, { succeeded, failed }) => [
      { labels: { controller, result: 'success' }, value: succeeded },
      { labels: { controller, result: 'error' }, value: failed },
    ],
  },
  {
    name: 'controller_runtime_reconcile_errors_total',
    type: 'counter',
    help: 'Items that failed.',
    samples: (controller, { failed }) => [{ labels: { controller }, value: failed }],
  },
];

/** What `/metrics` of the controller says, by the names of controller-runtime and client-go. */
export function controllerMetrics(
  queues: Readonly<Record<string, QueueCounts>>,
  requests: RequestCounts,
): string {
  const ofQueues = QUEUE_METRICS.map(({ name, type, help, samples }) =>
    metricText(
      name,
      type,
      help,
      Object.entries(queues).flatMap(([loop, queue]) => samples(loop, queue)),
    ),
  );
  const help = 'Requests to the API server by status and method.';
  const ofRequests = metricText('rest_client_requests_total', 'counter', help, requests.samples());
  return [...ofQueues, ofRequests].join('');
}
