import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { loadSource, scenarioOf } from '../../../helpers/planned-scenario.ts';

/** The problems of an otherwise good scenario of two nodes, as `path: message`. */
function problemsAt(source: JsonObject): readonly string[] {
  const result = loadSource(source);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}
const problemsOf = (...steps: readonly JsonObject[]): readonly string[] =>
  problemsAt(multiNicScenario({ steps: [{ scale: { to: 2 } }, ...steps] }));

describe('the rule for nodes that there are', () => {
  const rows: readonly (readonly [JsonObject, string])[] = [
    [{ allocate: { nodes: '1-3' } }, 'allocate.nodes'],
    [{ taint: { nodes: 3 } }, 'taint.nodes'],
    [{ untaint: { nodes: '1,3' } }, 'untaint.nodes'],
    [{ churn: { nodes: '2-3', for: '1s' } }, 'churn.nodes'],
    [{ restart: { what: 'daemon', node: 3 } }, 'restart.node'],
    [{ fault: { nodes: 3, what: 'not-ready' } }, 'fault.nodes'],
  ];
  for (const [step, place] of rows)
    it(`refuses ${JSON.stringify(step)} with two nodes`, () => {
      expect(problemsOf(step)).to.deep.equal([
        `steps[1].${place}: there are 2 nodes then, and no sim-3`,
      ]);
    });

  it('looks at the nodes at that time, not at those of a later step or an earlier one', () => {
    expect(problemsOf({ taint: { nodes: 3 } }, { scale: { to: 3 } })).to.have.length(1);
    expect(problemsOf({ scale: { to: 3 } }, { taint: { nodes: 3 } })).to.be.empty;
    expect(problemsOf({ scale: { to: 1 } }, { taint: { nodes: 2 } })).to.deep.equal([
      'steps[2].taint.nodes: there is 1 node then, and no sim-2',
    ]);
  });

  it('has nothing against faults of nodes that come later, and against their healing', () => {
    expect(
      problemsOf(
        { fault: { nodes: '2-9', what: 'hang' } },
        { scale: { to: 9 } },
        { heal: { nodes: '1-20' } },
      ),
    ).to.be.empty;
  });
});

describe('the rule for what the operator has', () => {
  const ipam = (step: JsonObject): readonly string[] =>
    problemsAt(scenarioOf({ steps: [{ scale: { to: 2 } }, step] }));

  it('refuses to ask for addresses where no daemon gives any', () => {
    expect(ipam({ allocate: {} })).to.deep.equal([
      'steps[1].allocate: node-ipam has no daemons that give out addresses',
    ]);
    expect(ipam({ deallocate: {} })).to.include(
      'steps[1].deallocate: node-ipam has no daemons that give out addresses',
    );
  });

  const daemons: readonly JsonObject[] = [
    { fault: { nodes: 1, what: 'hang' } },
    { restart: { what: 'daemons' } },
    { restart: { what: 'daemon', node: 1 } },
  ];
  for (const step of daemons)
    it(`refuses ${JSON.stringify(step)} where there are none`, () => {
      expect(ipam(step)).to.deep.equal([
        `steps[1].${Object.keys(step)[0]}: node-ipam has no daemons that could fail or be restarted`,
      ]);
    });

  it('leaves the other restarts, taints and churn to every operator', () => {
    for (const step of [
      { restart: { what: 'kwok' } },
      { taint: { nodes: 1 } },
      { churn: { nodes: 1, for: '1s' } },
    ])
      expect(ipam(step), JSON.stringify(step)).to.be.empty;
  });
});

describe('the rule for what is given back and healed', () => {
  const hang = { fault: { nodes: 1, what: 'hang' } };

  it('refuses to give back what nobody asked for before', () => {
    const problem = 'deallocate: no step before it allocates';
    expect(problemsOf({ deallocate: {} })).to.deep.equal([`steps[1].${problem}`]);
    expect(problemsOf({ deallocate: {} }, { allocate: {} })).to.deep.equal([`steps[1].${problem}`]);
    expect(problemsOf({ allocate: {} }, { deallocate: {} })).to.be.empty;
  });

  it('refuses to heal where no fault stands', () => {
    const problem = 'heal: no step before it has a fault that is not over by itself';
    expect(problemsOf({ heal: {} }, hang)).to.deep.equal([`steps[1].${problem}`]);
    const passing: readonly JsonObject[] = [
      { fault: { nodes: 1, what: 'hang', for: '1s' } },
      { fault: { nodes: 1, what: 'drop' } },
    ];
    for (const fault of passing)
      expect(problemsOf(fault, { heal: {} })).to.deep.equal([`steps[2].${problem}`]);
    expect(problemsOf(hang, { heal: {} })).to.be.empty;
  });
});

describe('the rule for thresholds on addresses and recoveries', () => {
  const problemOf = (threshold: string): readonly string[] =>
    problemsAt(
      multiNicScenario({
        steps: [{ scale: { to: 2 } }, { allocate: {} }, { restart: { what: 'daemons' } }],
        expect: [threshold],
      }),
    );

  for (const good of [
    'p99(allocate) < 1s',
    'rate(allocate) > 10',
    'sum(allocate.retries) == 0',
    'sum(allocate.partial) == 0',
    'step(allocate).sum(allocate.failed) == 0',
    'max(recovery) < 10s',
    'all(leases) < 10s',
  ])
    it(`accepts ${good}`, () => {
      expect(problemOf(good)).to.be.empty;
    });

  const bad: readonly (readonly [string, string])[] = [
    ['max(deallocate) < 1s', 'no step that it covers has samples of deallocate'],
    ['step(scale-2).max(recovery) < 1s', 'no step that it covers has samples of recovery'],
    [
      'all(allocate) < 1s',
      'allocate has no statistic "all", expected one of min, pNN, max, count, rate',
    ],
    ['max(allocate.retries) == 0', 'allocate.retries has no statistic "max", expected one of sum'],
    ['max(recovery) < 10', 'max(recovery) is a time, expected a duration such as 20s, got 10'],
  ];
  for (const [threshold, problem] of bad)
    it(`refuses ${threshold}`, () => {
      expect(problemOf(threshold)).to.deep.equal([`expect[0]: ${problem}`]);
    });
});
