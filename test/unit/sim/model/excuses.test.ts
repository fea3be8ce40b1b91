import { expect } from 'chai';
import { runMs } from '../../../../src/sim/base/units.ts';
import { FactBook } from '../../../../src/sim/ledger/fact-book.ts';
import { hasMovedNics, isExcused, missingNics } from '../../../../src/sim/model/excuses.ts';
import type { Fact } from '../../../../src/sim/model/facts.ts';
import { daemon, fault, nodeFact } from '../../../helpers/multi-nic-facts.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { planned, scenarioOf } from '../../../helpers/planned-scenario.ts';

const viewOf = (facts: readonly Fact[]): FactBook => {
  const book = new FactBook([]);
  facts.forEach((fact, seq) => book.tell(`source ${seq}`, [fact], { seq, atMs: runMs(seq) }));
  return book;
};
const withDaemons = planned(multiNicScenario()).model;
const excused = (facts: readonly Fact[], model = withDaemons): boolean =>
  isExcused('sim-1', viewOf(facts), model);
const tainted = (...taints: readonly string[]): Fact => ({ ...nodeFact('127.64.0.1'), taints });

describe('a node is excused', () => {
  const rows: readonly (readonly [boolean, string, readonly Fact[]])[] = [
    [false, 'nothing is wrong', [tainted(), daemon()]],
    [true, 'its daemon hangs', [tainted(), daemon(), fault('hang')]],
    [true, 'its pod is not ready', [tainted(), fault('not-ready')]],
    [false, 'its daemon is only slow', [tainted(), daemon(), fault('latency')]],
    [false, 'a NIC is missing', [tainted(), daemon(), fault('missing-nic', 'eth1')]],
    [false, 'another node has the fault', [tainted(), daemon(), fault('hang', undefined, 'sim-2')]],
    [true, 'a taint keeps its daemon away', [tainted('x/y:NoSchedule')]],
    [true, 'a taint has evicted its daemon', [tainted('y:NoExecute'), daemon({ ready: false })]],
    [false, 'its daemon runs on in spite of a taint', [tainted('x/y:NoSchedule'), daemon()]],
    [false, 'a taint only asks pods to stay away', [tainted('x/y:PreferNoSchedule')]],
    [
      false,
      'the taints are those of kwok and of the cluster',
      [tainted('kwok.x-k8s.io/node:NoSchedule', 'node.kubernetes.io/not-ready:NoExecute')],
    ],
    [
      true,
      'one of several taints keeps its daemon away',
      [tainted('kwok.x-k8s.io/node:NoSchedule', 'x:NoSchedule')],
    ],
  ];
  for (const [isExpected, when, facts] of rows)
    it(`${isExpected ? 'when' : 'not when'} ${when}`, () => {
      expect(excused(facts)).to.equal(isExpected);
    });

  it('not for a taint, where the operator has no daemons', () => {
    const { model } = planned(scenarioOf());
    expect(excused([tainted('x/y:NoSchedule')], model)).to.be.false;
  });
});

describe('the NICs of a node', () => {
  it('are known to be missing, each by itself', () => {
    const view = viewOf([
      fault('missing-nic', 'eth1'),
      fault('missing-nic', 'eth2'),
      fault('extra-nic', 'eth9'),
    ]);
    expect([...missingNics('sim-1', view)]).to.deep.equal(['eth1', 'eth2']);
    expect([...missingNics('sim-2', view)]).to.be.empty;
  });

  it('are known to have moved', () => {
    expect(hasMovedNics('sim-1', viewOf([fault('address')]))).to.be.true;
    expect(hasMovedNics('sim-1', viewOf([fault('hang')]))).to.be.false;
  });
});
