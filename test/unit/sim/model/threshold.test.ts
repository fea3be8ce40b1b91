import { expect } from 'chai';
import {
  parseExpression,
  parseThreshold,
  type Threshold,
  type ThresholdExpression,
} from '../../../../src/sim/model/threshold.ts';

function read(expr: string): ThresholdExpression {
  const parsed = parseExpression(expr);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.expression;
}

function problemOf(expr: string): string {
  const parsed = parseExpression(expr);
  return parsed.ok ? expect.fail(`${expr} should not be read`) : parsed.problem;
}

describe('parseExpression', () => {
  it('takes a threshold of every step apart', () => {
    expect(read(' max(cidr) < 30s ')).to.deep.equal({
      expr: 'max(cidr) < 30s',
      step: undefined,
      stat: 'max',
      metric: { network: undefined, name: 'cidr', labels: {} },
      operator: '<',
      value: '30s',
    });
  });

  it('takes a threshold of one step apart', () => {
    expect(read('step(scale-200).p99(cidr)<=1m30s')).to.include({
      step: 'scale-200',
      stat: 'p99',
      operator: '<=',
      value: '1m30s',
    });
  });

  for (const operator of ['<', '<=', '>', '>=', '=='])
    it(`reads the operator ${operator}`, () => {
      expect(read(`count(cidr) ${operator} 5`).operator).to.equal(operator);
    });

  it('reads labels, quoted or not, with spaces around them', () => {
    const { metric } = read('sum(api.requests{ verb=create , user="system:node" }) < 5k');
    expect(metric).to.deep.equal({
      network: undefined,
      name: 'api.requests',
      labels: { verb: 'create', user: 'system:node' },
    });
  });

  it('reads the network of a counter', () => {
    expect(read('regressions(multi-nic-sample/processed) == 0').metric).to.deep.equal({
      network: 'multi-nic-sample',
      name: 'processed',
      labels: {},
    });
  });

  for (const expr of [
    '',
    'max(cidr)',
    'max cidr < 3s',
    'max(cidr) != 3s',
    'step().max(cidr) < 3s',
    'max(/processed) < 3',
    'max(a/b/processed) < 3',
  ])
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

describe('parseThreshold', () => {
  const NAMES = { milestones: ['cidr', 'routes'], counters: ['processed'] };

  function known(expr: string): Threshold {
    const parsed = parseThreshold(expr, NAMES);
    if (!parsed.ok) throw new Error(parsed.problem);
    return parsed.threshold;
  }

  const limits: readonly (readonly [string, number, string])[] = [
    ['max(cidr) < 250ms', 250, 'ms'],
    ['max(cidr) < 5m', 300_000, 'ms'],
    ['count(cidr) == 10', 10, 'number'],
    ['rate(cidr) > 2.5', 2.5, 'per-second'],
    ['sum(api.requests) < 2k', 2000, 'number'],
    ['rate(api.requests{verb=deletecollection}) < 20', 20, 'per-second'],
    ['regressions(processed) == 0', 0, 'number'],
    ['max(controller.rss) < 300Mi', 300 * 2 ** 20, 'bytes'],
    ['max(controller.cpu) < 1.5', 1.5, 'cores'],
    ['max(controller.cpu) < 500m', 0.5, 'cores'],
    ['sum(controller.cpu) < 30s', 30_000, 'ms'],
  ];
  for (const [expr, limit, unit] of limits)
    it(`reads the limit of ${expr} as ${limit} ${unit}`, () => {
      expect(known(expr)).to.include({ limit, unit });
    });

  for (const metric of [
    'all(cidr)',
    'count(cidr)',
    'sum(api.requests)',
    'max(processed)',
    'max(controller.cpu)',
    'sum(controller.cpu)',
    'max(controller.rss)',
  ])
    it(`takes nothing without a unit for a limit of ${metric}`, () => {
      expect(known(`${metric} <= 0`).limit).to.equal(0);
    });

  const refused: readonly (readonly [string, string])[] = [
    ['all(routes) < 20', 'all(routes) is a time, expected a duration such as 20s, got 20'],
    ['all(cidr) < 500Mi', 'all(cidr) is a time, expected a duration such as 20s, got 500Mi'],
    ['count(cidr) == 10s', 'count(cidr) is a number, expected a plain number such as 20, got 10s'],
    [
      'rate(cidr) > 2s',
      'rate(cidr) is a number per second, expected a plain number such as 20, got 2s',
    ],
    [
      'sum(api.requests) < 5m',
      'sum(api.requests) is a number, expected a plain number such as 20, got 5m',
    ],
    [
      'max(processed) < 5s',
      'max(processed) is a number, expected a plain number such as 20, got 5s',
    ],
    [
      'max(controller.cpu) < 30s',
      'max(controller.cpu) is a number of CPU cores, expected a plain number such as 0.5, got 30s',
    ],
    [
      'sum(controller.cpu) < 30',
      'sum(controller.cpu) is a time, expected a duration such as 20s, got 30',
    ],
    [
      'max(controller.rss) < 30s',
      'max(controller.rss) is an amount of memory, expected a size such as 300Mi, got 30s',
    ],
    [
      'max(controller.rss) < 300',
      'max(controller.rss) is an amount of memory, expected a size such as 300Mi, got 300',
    ],
    [
      'sum(api.requests{verb=CREATE}) < 3',
      'unknown verb "CREATE", expected one of get, list, watch, create, update, patch, delete, deletecollection',
    ],
    ['max(net/cidr) < 3s', 'cidr is not of a single network, only counters are'],
    ['max(processed{verb=get}) < 3', 'processed has no labels, only api.requests has'],
    ['constructor(cidr) < 3', 'cidr has no statistic "constructor", expected one of min'],
  ];
  for (const [expr, problem] of refused)
    it(`refuses ${expr}`, () => {
      const parsed = parseThreshold(expr, NAMES);
      expect(parsed.ok ? '' : parsed.problem.slice(0, problem.length)).to.equal(problem);
    });
});
