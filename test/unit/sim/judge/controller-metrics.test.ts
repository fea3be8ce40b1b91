import { expect } from 'chai';
import { controllerMetricsReport } from '../../../../src/sim/judge/controller-metrics.ts';
import type { ControllerMetricsReport } from '../../../../src/sim/model/run-report.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';

const ADDS = 'workqueue_adds_total{name="q"}';
const DEPTH = 'workqueue_depth{name="q"}';
const steps = [{ scale: { to: 2 } }, { scale: { to: 4 } }, { scale: { to: 6 } }];

describe('what a controller said of itself in a step', () => {
  let history: HistoryBuilder;
  beforeEach(() => {
    history = HistoryBuilder.of(scenarioOf({ steps })).ready();
  });

  const says = (values: Readonly<Record<string, number>> | null): HistoryBuilder =>
    history.record({ kind: 'controller-metrics', values: values && { ...values } });
  const step = (number: 0 | 1 | 2): ControllerMetricsReport | null => {
    const run = history.result();
    return controllerMetricsReport(run.steps[number]!, run);
  };

  it('is what was counted from before it to its end, and the deepest queue at any moment', () => {
    says({ [ADDS]: 10, [DEPTH]: 90 });
    history.begin('scale-2');
    says({ [ADDS]: 12, [DEPTH]: 4, 'workqueue_depth{name="r"}': 6 });
    history.finish();
    says({ [ADDS]: 30, [DEPTH]: 0 });
    expect(step(0)).to.include({ samples: 2, maxQueueDepth: 6, queueAdds: 20 });
  });

  it('is counted in each step by itself', () => {
    says({ [ADDS]: 10 });
    history.begin('scale-2').finish();
    says({ [ADDS]: 30 });
    history.begin('scale-4');
    says({ [ADDS]: 35 });
    history.finish();
    says({ [ADDS]: 37 });
    expect(step(0)).to.include({ samples: 1, queueAdds: 20 });
    expect(step(1)).to.include({ samples: 2, queueAdds: 7 });
  });

  it('adds up all queues, results and requests', () => {
    const requests = (code: string) => `rest_client_requests_total{code="${code}",method="GET"}`;
    const reconciles = (result: string) =>
      `controller_runtime_reconcile_total{controller="c",result="${result}"}`;
    says({ [requests('200')]: 3, [reconciles('success')]: 1 });
    history.begin('scale-2').finish();
    says({
      [requests('200')]: 4,
      [requests('429')]: 2,
      [reconciles('success')]: 5,
      [reconciles('error')]: 3,
      'controller_runtime_reconcile_errors_total{controller="c"}': 3,
      'workqueue_retries_total{name="q"}': 3,
    });
    expect(step(0)).to.deep.equal({
      samples: 1,
      maxQueueDepth: null,
      queueAdds: null,
      queueRetries: 3,
      reconciles: 7,
      reconcileErrors: 3,
      requests: 3,
    });
  });

  it('begins anew with a process that was started meanwhile, although it has counted further', () => {
    says({ [ADDS]: 10 });
    history.begin('scale-2');
    says({ [ADDS]: 15 });
    history.controller('exited', { pid: 100, asked: true }).controller('ready', { pid: 101 });
    says({ [ADDS]: 40 });
    history.finish();
    expect(step(0)).to.include({ queueAdds: 45 });
  });

  it('begins anew with a counter that has fallen', () => {
    says({ [ADDS]: 10 });
    history.begin('scale-2');
    says({ [ADDS]: 4 });
    history.finish();
    expect(step(0)).to.include({ queueAdds: 4 });
  });

  it('has no growth to tell of after a single answer, but the depth of its queues', () => {
    history.begin('scale-2');
    says(null);
    says({ [ADDS]: 4, [DEPTH]: 2 });
    history.finish();
    expect(step(0)).to.include({ samples: 1, maxQueueDepth: 2, queueAdds: null });
  });

  it('is nothing where it did not answer, and where the step was never begun', () => {
    says({ [ADDS]: 1 });
    history.begin('scale-2');
    says(null);
    history.finish();
    expect(step(0)).to.equal(null);
    history.skip('scale-4', 'missed');
    says({ [ADDS]: 2 });
    expect(step(1)).to.equal(null);
  });
});
