import { expect } from 'chai';
import { judgeThresholds } from '../../../../src/sim/judge/thresholds.ts';
import type { ApiRow } from '../../../../src/sim/model/history.ts';
import type { ThresholdReport } from '../../../../src/sim/model/run-report.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { metricNamesOf } from '../../../helpers/judged.ts';
import { tableScenario } from '../../../helpers/table-profile.ts';
import { twoNodes, twoServed } from '../../../helpers/two-nodes.ts';

const judgeOne = (history: HistoryBuilder): ThresholdReport | undefined =>
  judgeThresholds(history.result(), metricNamesOf(history))[0];

describe('a threshold on requests', () => {
  const row = (user: string, verb: string, resource: string, requests: number): ApiRow => ({
    user,
    userAgent: 'kubelet/v1',
    verb,
    resource,
    requests,
    conflicts: 0,
    throttled: 0,
    failed: 0,
  });
  const ROWS = [
    row('system:kube-controller-manager', 'patch', 'nodes', 200),
    row('system:kube-controller-manager', 'list', 'nodes', 3),
    row('sim', 'create', 'nodes', 100),
    row('sim', 'patch', 'configmaps', 50),
  ];
  const judgeRows = (expr: string): ThresholdReport | undefined =>
    judgeOne(
      twoServed({ expect: [expr] }).record({
        kind: 'api',
        step: 'scale-2',
        source: 'audit-log',
        rows: ROWS,
        latencyMs: null,
      }),
    );

  const values: readonly (readonly [string, number])[] = [
    ['sum(api.requests)', 353],
    ['sum(api.requests{verb=patch})', 250],
    ['sum(api.requests{resource=nodes})', 303],
    ['sum(api.requests{verb=patch,resource=nodes})', 200],
    ['sum(api.requests{user=kube-controller-manager})', 203],
    ['sum(api.requests{user=kubelet})', 353],
    ['sum(api.requests{user=nobody})', 0],
  ];
  for (const [metric, value] of values)
    it(`finds ${value} for ${metric}`, () => {
      expect(judgeRows(`${metric} == ${value}`)).to.include({ value, status: 'held' });
    });

  it('has their rate over the whole step', () => {
    expect(judgeRows('rate(api.requests{verb=list}) < 2')?.value).to.equal(3 / 2.4);
    const later = twoServed({
      steps: [{ scale: { to: 2 } }, { hold: { for: '5s' } }],
      expect: ['step(hold).rate(api.requests) < 5'],
    });
    later.at(10_000).begin('hold').at(15_000).act().finish().api('hold', 20);
    expect(judgeOne(later)?.value).to.equal(4);
  });

  it('fails when nothing was counted', () => {
    expect(judgeOne(twoServed({ expect: ['sum(api.requests) < 10'] }))).to.include({
      status: 'broken',
      value: null,
    });
  });
});

describe('a threshold on what the controller uses', () => {
  /** Samples of the controller as [time, pid, CPU time, memory in Ki]; the step is from 0 to 2400. */
  const judgeSamples = (
    expr: string,
    ...samples: readonly (readonly [number, number, number, number])[]
  ): ThresholdReport | undefined => {
    const history = HistoryBuilder.of({ ...twoServed({ expect: [expr] }).planned.source });
    history.begin('scale-2').act();
    let done = false;
    for (const [atMs, pid, cpuMs, rssKi] of samples) {
      if (atMs > 2400 && !done) done = !!history.at(2400).finish();
      history.at(atMs).record({
        kind: 'usage',
        samples: [
          { component: 'sim', pid: 1, cpuMs: 9999 + atMs, rssBytes: 1 },
          { component: 'controller', pid, cpuMs, rssBytes: rssKi * 1024 },
        ],
      });
    }
    if (!done) history.at(2400).finish();
    return judgeOne(history);
  };
  const STEADY = [
    [0, 7, 1000, 100],
    [1000, 7, 1500, 300],
    [2000, 7, 2500, 200],
  ] as const;

  const values: readonly (readonly [string, string, number, string])[] = [
    ['min(controller.cpu)', '0.5', 0.5, 'cores'],
    ['max(controller.cpu)', '1', 1, 'cores'],
    ['p50(controller.cpu)', '500m', 0.5, 'cores'],
    ['sum(controller.cpu)', '1.5s', 1500, 'ms'],
    ['min(controller.rss)', '100Ki', 100 * 1024, 'bytes'],
    ['p50(controller.rss)', '200Ki', 200 * 1024, 'bytes'],
    ['max(controller.rss)', '300Ki', 300 * 1024, 'bytes'],
  ];
  for (const [metric, written, value, unit] of values)
    it(`finds ${written} for ${metric}`, () => {
      expect(judgeSamples(`${metric} == ${written}`, ...STEADY)).to.include({
        value,
        limit: value,
        unit,
        status: 'held',
      });
    });

  it('holds summed CPU time against a duration', () => {
    expect(judgeSamples('sum(controller.cpu) < 2s', ...STEADY)).to.include({ status: 'held' });
    expect(judgeSamples('sum(controller.cpu) < 1s', ...STEADY)).to.include({ status: 'broken' });
  });

  const RESTARTED = [...STEADY.slice(0, 2), [2000, 8, 300, 50]] as const;

  it('sums over a restart: the new process counts from its start, and nothing is negative', () => {
    expect(judgeSamples('sum(controller.cpu) < 2s', ...RESTARTED)?.value).to.equal(800);
  });

  it('has no share of a core from one process to another', () => {
    expect(judgeSamples('max(controller.cpu) < 2', ...RESTARTED)?.value).to.equal(0.5);
  });

  it('has no memory from outside the step', () => {
    expect(
      judgeSamples('max(controller.rss) < 1Mi', ...STEADY, [9000, 7, 2600, 1000])?.value,
    ).to.equal(300 * 1024);
  });

  it('counts the samples at both ends of the step', () => {
    const atEnd = [2400, 7, 2600, 700] as const;
    expect(judgeSamples('max(controller.rss) < 1Mi', ...STEADY, atEnd)?.value).to.equal(700 * 1024);
  });

  it('fails for a step that has no end', () => {
    const history = twoNodes({ expect: ['max(controller.rss) < 1Gi'] })
      .usage(5)
      .usage(9);
    expect(judgeOne(history)).to.include({
      value: null,
      reason: 'no samples: the step is unfinished (the recording ends within the step)',
    });
  });

  for (const threshold of ['sum(controller.cpu) < 2s', 'max(controller.cpu) < 2'])
    it(`fails for ${threshold} with a single sample, between which and itself there is no time`, () => {
      expect(judgeSamples(threshold, STEADY[0])).to.include({
        status: 'broken',
        value: null,
      });
    });
});

describe('a threshold on counters', () => {
  const counting = (expr: string, ...values: readonly (readonly [number, number])[]) => {
    const history = HistoryBuilder.ofTables(
      tableScenario({
        networks: [
          { name: 'a', subnets: ['10.0.0.0/8'] },
          { name: 'b', subnets: ['11.0.0.0/8'] },
        ],
        expect: [expr],
      }),
    ).begin('scale-2');
    for (const [a, b] of values)
      for (const [network, processed] of Object.entries({ a, b }))
        history.object(
          'tables',
          { name: network },
          { fields: { network, counters: { processed } } },
        );
    return judgeOne(history.at(500).finish());
  };

  const values: readonly (readonly [string, number])[] = [
    ['min(processed)', 3],
    ['max(processed)', 5],
    ['regressions(processed)', 2],
    ['regressions(total)', 0],
    ['min(a/processed)', 5],
    ['max(b/processed)', 3],
    ['regressions(a/processed)', 1],
    ['regressions(b/total)', 0],
  ];
  for (const [metric, value] of values)
    it(`finds ${value} for ${metric} over ${metric.includes('/') ? 'one network' : 'all networks'}`, () => {
      const report = counting(`${metric} == ${value}`, [7, 4], [5, 2], [5, 3]);
      expect(report).to.include({ value, status: 'held' });
    });

  it('fails for a value that was never reported', () => {
    expect(counting('max(total) < 5', [1, 1])).to.include({ value: null, status: 'broken' });
  });
});
