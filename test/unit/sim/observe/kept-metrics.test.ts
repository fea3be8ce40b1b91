import { expect } from 'chai';
import { keptMetrics } from '../../../../src/sim/observe/kept-metrics.ts';

describe('what is kept of the metrics of a controller', () => {
  it('are the six that tell of its work', () => {
    const names = [
      'workqueue_depth',
      'workqueue_adds_total',
      'workqueue_retries_total',
      'controller_runtime_reconcile_total',
      'controller_runtime_reconcile_errors_total',
      'rest_client_requests_total',
    ];
    const others = ['go_goroutines', 'workqueue_depth_bytes', 'controller_runtime_active_workers'];
    const text = [...names, ...others].map((name, i) => `${name} ${i}`).join('\n');
    expect(keptMetrics(text)).to.deep.equal(Object.fromEntries(names.map((name, i) => [name, i])));
  });

  it('are sums over the labels that do not tell a queue, a controller, a result or a request', () => {
    const text = [
      'workqueue_depth{controller="c",name="q",priority="0"} 2',
      'workqueue_depth{controller="c",name="q",priority="-100"} 3',
      'rest_client_requests_total{code="200",host="127.0.0.1:1",method="GET"} 5',
      'rest_client_requests_total{code="200",host="127.0.0.1:2",method="GET"} 6',
      'rest_client_requests_total{code="409",host="127.0.0.1:2",method="PUT"} 1',
      'controller_runtime_reconcile_total{controller="c",result="requeue_after"} 4',
    ].join('\n');
    expect(keptMetrics(text)).to.deep.equal({
      'workqueue_depth{name="q",controller="c"}': 5,
      'rest_client_requests_total{code="200",method="GET"}': 11,
      'rest_client_requests_total{code="409",method="PUT"}': 1,
      'controller_runtime_reconcile_total{controller="c",result="requeue_after"}': 4,
    });
  });

  it('are no more than 64 of each, and what is beyond them in one sum', () => {
    const lines = Array.from({ length: 70 }, (_, i) => `workqueue_adds_total{name="q${i}"} 1`);
    const kept = keptMetrics([...lines, ...lines, 'workqueue_depth{name="q69"} 1'].join('\n'));
    expect(Object.keys(kept)).to.have.length(64 + 1 + 1);
    expect(kept['workqueue_adds_total{name="q63"}']).to.equal(2);
    expect(kept['workqueue_adds_total']).to.equal(12);
    expect(kept['workqueue_depth{name="q69"}']).to.equal(1);
  });

  it('is nothing of a text that is something else', () => {
    expect(keptMetrics('<html>not found</html>')).to.deep.equal({});
  });
});
