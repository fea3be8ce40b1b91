import { expect } from 'chai';
import { coresUsed, cpuTimeMs, samplesOf, usageReport } from '../../../../src/sim/judge/usage.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';

const sample = (atMs: number, pid: number, cpuMs: number, rssBytes = 10) => ({
  atMs,
  pid,
  cpuMs,
  rssBytes,
});

describe('usageReport', () => {
  it('adds up what every process of a component used, and takes its most memory', () => {
    const history = HistoryBuilder.of(scenarioOf());
    for (const [pid, cpuMs, rssBytes] of [
      [1, 100, 50],
      [1, 400, 90],
      [2, 30, 60],
    ] as const)
      history.record({
        kind: 'usage',
        samples: [
          { component: 'controller', pid, cpuMs, rssBytes },
          { component: 'sim', pid: 9, cpuMs: 7, rssBytes: 5 },
        ],
      });
    expect(usageReport(history.result())).to.deep.equal({
      controller: { cpuMs: 430, maxRssBytes: 90, throttled: null },
      sim: { cpuMs: 7, maxRssBytes: 5, throttled: null },
    });
    expect(samplesOf(history.result(), 'sim')).to.have.length(3);
  });

  it('takes the last word on throttling, which counts for all processes of the group', () => {
    const history = HistoryBuilder.of(scenarioOf());
    const sampled = { component: 'controller', cpuMs: 1, rssBytes: 1 };
    for (const [pid, throttledMs] of [
      [1, 20],
      [2, 90.12345],
    ] as const)
      history.record({
        kind: 'usage',
        samples: [
          { ...sampled, pid, throttled: { periods: 8, throttledPeriods: pid, throttledMs } },
        ],
      });
    history.record({ kind: 'usage', samples: [{ ...sampled, pid: 2 }] });
    expect(usageReport(history.result())['controller']?.throttled).to.deep.equal({
      periods: 8,
      throttledPeriods: 2,
      throttledMs: 90.123,
    });
  });

  it('has nothing to say of a run without samples', () => {
    expect(usageReport(HistoryBuilder.of(scenarioOf()).result())).to.deep.equal({});
  });
});

describe('coresUsed', () => {
  it('has a share for each stretch between samples that touches the time asked for', () => {
    const samples = [
      sample(0, 1, 0),
      sample(1000, 1, 500),
      sample(2000, 1, 700),
      sample(3000, 1, 700),
    ];
    expect(coresUsed(samples, 0, 3000)).to.deep.equal([0.5, 0.2, 0]);
    expect(coresUsed(samples, 1500, 1800)).to.deep.equal([0.2]);
    expect(coresUsed(samples, 1000, 1000)).to.deep.equal([0.5, 0.2]);
    expect(coresUsed(samples, 5000, 6000)).to.be.empty;
  });

  it('has none between different processes, and none without time between', () => {
    expect(coresUsed([sample(0, 1, 900), sample(1000, 2, 10)], 0, 1000)).to.be.empty;
    expect(coresUsed([sample(5, 1, 0), sample(5, 1, 10)], 0, 1000)).to.be.empty;
  });
});

describe('cpuTimeMs', () => {
  it('is the time between the first and the last sample', () => {
    expect(cpuTimeMs([sample(0, 1, 1000), sample(1, 1, 1200), sample(2, 1, 3000)])).to.equal(2000);
  });

  it('counts a process that came meanwhile from its start', () => {
    const samples = [sample(0, 1, 9000), sample(1, 1, 9500), sample(2, 2, 100), sample(3, 2, 250)];
    expect(cpuTimeMs(samples)).to.equal(750);
  });

  it('needs no more than two samples', () => {
    expect(cpuTimeMs([sample(0, 1, 1000), sample(1, 1, 1500)])).to.equal(500);
  });

  it('is not known with fewer than two samples', () => {
    expect(cpuTimeMs([])).to.be.undefined;
    expect(cpuTimeMs([sample(0, 1, 1000)])).to.be.undefined;
  });
});
