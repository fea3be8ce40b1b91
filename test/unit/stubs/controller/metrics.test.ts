import { expect } from 'chai';
import { controllerMetrics } from '../../../../src/stubs/controller/metrics.ts';
import { QueueCounts } from '../../../../src/stubs/controller/queue-counts.ts';
import { RequestCounts } from '../../../../src/stubs/controller/request-counts.ts';

describe('the metrics of the reference controller', () => {
  it("have the names of controller-runtime and client-go, in Prometheus' text format", async () => {
    const pools = new QueueCounts();
    pools.holding([1, 2, 3]);
    await pools.handle(() => Promise.resolve());
    await pools.handle(() => Promise.reject(new Error())).catch(() => undefined);
    const requests = new RequestCounts();
    for (const status of [200, 200, undefined]) requests.count('GET', status);
    requests.count('POST', 201);
    const text = controllerMetrics({ pools }, requests);
    expect(text.split('\n').filter((line) => !line.startsWith('# HELP'))).to.deep.equal([
      '# TYPE workqueue_depth gauge',
      'workqueue_depth{name="pools"} 1',
      '# TYPE workqueue_adds_total counter',
      'workqueue_adds_total{name="pools"} 3',
      '# TYPE workqueue_retries_total counter',
      'workqueue_retries_total{name="pools"} 1',
      '# TYPE controller_runtime_reconcile_total counter',
      'controller_runtime_reconcile_total{controller="pools",result="success"} 1',
      'controller_runtime_reconcile_total{controller="pools",result="error"} 1',
      '# TYPE controller_runtime_reconcile_errors_total counter',
      'controller_runtime_reconcile_errors_total{controller="pools"} 1',
      '# TYPE rest_client_requests_total counter',
      'rest_client_requests_total{code="200",method="GET"} 2',
      'rest_client_requests_total{code="<error>",method="GET"} 1',
      'rest_client_requests_total{code="201",method="POST"} 1',
      '',
    ]);
  });
});
