import { expect } from 'chai';
import {
  allowsStatistic,
  metricKind,
  parseThreshold,
  type Threshold,
} from '../../../../src/sim/model/threshold.ts';

function read(expr: string): Threshold {
  const parsed = parseThreshold(expr);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.threshold;
}

function problemOf(expr: string): string {
  const parsed = parseThreshold(expr);
  return parsed.ok ? expect.fail(`${expr} should not be read`) : parsed.problem;
}

describe('parseThreshold', () => {
  it('takes a threshold of every step apart', () => {
    expect(read(' max(cidr) < 30s ')).to.deep.equal({
      expr: 'max(cidr) < 30s',
      step: undefined,
      stat: 'max',
      metric: { name: 'cidr', labels: {} },
      operator: '<',
      limit: 30_000,
    });
  });

  it('takes a threshold of one step apart', () => {
    expect(read('step(scale-200).p99(cidr)<=1m30s')).to.include({
      step: 'scale-200',
      stat: 'p99',
      operator: '<=',
      limit: 90_000,
    });
  });

  for (const operator of ['<', '<=', '>', '>=', '=='])
    it(`reads the operator ${operator}`, () => {
      expect(read(`count(cidr) ${operator} 5`).operator).to.equal(operator);
    });

  it('reads labels, quoted or not, with spaces around them', () => {
    const { metric } = read('sum(api.requests{ verb=create , user="system:node" }) < 5k');
    expect(metric).to.deep.equal({
      name: 'api.requests',
      labels: { verb: 'create', user: 'system:node' },
    });
  });

  const limits: readonly (readonly [string, number])[] = [
    ['max(cidr) < 250ms', 250],
    ['max(cidr) < 5m', 300_000],
    ['max(cidr) < 0', 0],
    ['sum(api.requests) < 2k', 2000],
    ['max(controller.rss) < 300Mi', 300 * 2 ** 20],
    ['max(controller.cpu) < 1.5', 1.5],
    ['max(controller.cpu) < 500m', 0.5],
    ['sum(controller.cpu) < 30s', 30],
  ];
  for (const [expr, limit] of limits)
    it(`reads the limit of ${expr} as ${limit}`, () => {
      expect(read(expr).limit).to.equal(limit);
    });

  for (const expr of ['', 'max(cidr)', 'max cidr < 3s', 'max(cidr) != 3s', 'step().max(cidr) < 3s'])
    it(`says what it expected instead of ${JSON.stringify(expr)}`, () => {
      expect(problemOf(expr)).to.match(/^expected \[step\(NAME\)\.\]STAT\(METRIC\) OP VALUE/);
    });

  it('says which value it cannot read', () => {
    expect(problemOf('max(cidr) < soon')).to.match(/^cannot read the value "soon"/);
  });

  it('says which labels there are', () => {
    expect(problemOf('sum(api.requests{node=a}) < 3')).to.match(/^labels are verb, resource/);
  });
});

describe('metricKind', () => {
  const names = { milestones: ['cidr'], counters: ['processed'] };

  it('knows the milestones and counters of the profile, and what every profile has', () => {
    const kinds = ['cidr', 'gone', 'processed', 'api.requests', 'controller.cpu', 'other'].map(
      (name) => metricKind(name, names),
    );
    expect(kinds).to.deep.equal(['timing', 'timing', 'counter', 'requests', 'cpu', undefined]);
  });
});

describe('allowsStatistic', () => {
  it('allows every percentile from p1 to p99 where there are percentiles', () => {
    const allowed = ['p0', 'p1', 'p50', 'p99', 'p100', 'p050', 'pNN2'].filter((stat) =>
      allowsStatistic('timing', stat),
    );
    expect(allowed).to.deep.equal(['p1', 'p50', 'p99']);
  });

  it('allows no percentile of requests and counters', () => {
    expect(allowsStatistic('requests', 'p50')).to.be.false;
    expect(allowsStatistic('counter', 'p50')).to.be.false;
    expect(allowsStatistic('counter', 'regressions')).to.be.true;
  });
});
