import { expect } from 'chai';
import { metricKind, unitOf } from '../../../../src/sim/model/metric.ts';

describe('metricKind', () => {
  const names = { milestones: ['cidr'], counters: ['processed'] };

  it('knows the milestones and counters of the profile, and what every profile has', () => {
    const kinds = [
      'cidr',
      'gone',
      'processed',
      'api.requests',
      'controller.cpu',
      'other',
      'constructor',
    ].map((name) => metricKind(name, names));
    expect(kinds).to.deep.equal([
      'timing',
      'timing',
      'counter',
      'requests',
      'cpu',
      undefined,
      undefined,
    ]);
  });
});

describe('unitOf', () => {
  it('knows every percentile from p1 to p99 where there are percentiles', () => {
    const known = ['p0', 'p1', 'p50', 'p99', 'p100', 'p050', 'pNN', 'pNN2'].filter(
      (stat) => unitOf('timing', stat) !== undefined,
    );
    expect(known).to.deep.equal(['p1', 'p50', 'p99']);
  });

  it('knows no percentile of requests and counters', () => {
    expect(unitOf('requests', 'p50')).to.be.undefined;
    expect(unitOf('counter', 'p50')).to.be.undefined;
    expect(unitOf('counter', 'regressions')).to.equal('number');
  });

  it('is not that of the metric where a statistic counts nodes or sums up', () => {
    expect(unitOf('timing', 'all')).to.equal('ms');
    expect(unitOf('timing', 'count')).to.equal('number');
    expect(unitOf('timing', 'rate')).to.equal('per-second');
    expect(unitOf('cpu', 'max')).to.equal('cores');
    expect(unitOf('cpu', 'sum')).to.equal('ms');
  });
});
