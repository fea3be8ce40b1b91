import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { Fault } from '../../../../src/sim/model/fault.ts';
import { judged } from '../../../helpers/judged.ts';
import { MultiNicHistory, multiNicServed, routesTo } from '../../../helpers/multi-nic-history.ts';
import { rowsOf } from '../../../helpers/multi-nic-raw.ts';

const HANG: Fault = { kind: 'hang' };
const MISSING: Fault = { kind: 'missing-nic', interface: 'eth1' };

const faultsOf = (history: MultiNicHistory, node = 'sim-1'): readonly string[] =>
  history.fold.facts
    .of(node, 'fault')
    .map(({ fault, interface: nic }) => `${fault} ${nic ?? ''}`.trim());
const heldIn = (history: MultiNicHistory): Readonly<Record<string, number>> =>
  Object.fromEntries(
    (history.fold.currentStep?.progress()?.milestones ?? []).map(({ name, held }) => [name, held]),
  );
/** The codes of what is broken. */
const brokenIn = (history: MultiNicHistory): readonly string[] =>
  judged(history)
    .invariants.filter(({ status }) => status === 'broken')
    .map(({ code }) => code);

describe('a fault, as a fact', () => {
  it('is there from its begin to its end, on each of its nodes', () => {
    const history = MultiNicHistory.begun().fault('1,3', HANG);
    expect([1, 2, 3].map((n) => faultsOf(history, `sim-${n}`))).to.deep.equal([
      ['hang'],
      [],
      ['hang'],
    ]);
    history.heal('3', HANG);
    expect([1, 3].map((n) => faultsOf(history, `sim-${n}`))).to.deep.equal([['hang'], []]);
  });

  it('belongs to the name of a node: the next bearer has it too, and nothing is left of the last', () => {
    const history = MultiNicHistory.begun().fault('1', HANG).removeNode(1);
    expect(history.fold.facts.countOf('sim-1')).to.equal(0);
    expect(faultsOf(history.node(1))).to.deep.equal(['hang']);
  });

  it('takes the place of another of the daemon, and of none of a NIC', () => {
    const history = MultiNicHistory.begun()
      .fault('1', MISSING)
      .fault('1', { kind: 'missing-nic', interface: 'eth0' })
      .fault('1', HANG)
      .fault('1', { kind: 'refuse' });
    expect([...faultsOf(history)].sort()).to.deep.equal([
      'missing-nic eth0',
      'missing-nic eth1',
      'refuse',
    ]);
    expect(faultsOf(history.heal('1', HANG))).to.have.length(2);
  });

  it('is none where it was over at once', () => {
    expect(faultsOf(MultiNicHistory.begun().fault('1', { kind: 'drop' }))).to.be.empty;
  });
});

/** Two of three nodes served, and the third has come and got nothing. */
function threeNodes(isFaulty: boolean, changes: JsonObject = {}): MultiNicHistory {
  const history = multiNicServed({
    steps: [
      { scale: { to: 2 } },
      { fault: { nodes: 3, what: 'hang' } },
      { scale: { to: 3, within: '30s' } },
      { heal: {} },
    ],
    ...changes,
  });
  history.at(3000).begin('fault-hang').beginAction();
  if (isFaulty) history.fault('3', HANG);
  return history.endAction().finish().at(4000).begin('scale-3').act().at(4100).node(3);
}

describe('a node whose daemon hangs', () => {
  it('keeps no step from converging: the others count, and counters may be lower by it', () => {
    const history = threeNodes(true);
    expect(history.state()).to.equal('settling');
    expect(history.counters(3, 2, 2).state()).to.equal('settling');
    expect(history.at(6100).finish().result().steps[2]).to.include({ outcome: 'converged' });
    expect(threeNodes(false).state()).to.equal('pending');
  });

  it('does not make up for a counter that lacks another node', () => {
    expect(threeNodes(true).counters(3, 2, 1).state()).to.equal('pending');
  });

  it('does not excuse another node that loses something', () => {
    const history = threeNodes(true).cidr(...rowsOf(1));
    expect(history.state()).to.equal('pending');
    expect(heldIn(history)['cidr']).to.equal(2);
  });

  it('is not asked for blocks, routes and its fair share by the invariants', () => {
    expect(brokenIn(threeNodes(true).at(40_000).finish())).to.be.empty;
    expect(brokenIn(threeNodes(false).at(40_000).finish())).to.include('INV014');
  });

  it('is expected to be served once it is healed', () => {
    const history = threeNodes(true).at(6100).finish().at(7000).begin('heal').beginAction();
    history.heal('3', HANG).endAction();
    expect(history.state()).to.equal('pending');
    expect(heldIn(history)).to.include({ cidr: 2, pools: 2 });
    history
      .at(8000)
      .discovered(3)
      .cidr(...rowsOf(1, 2, 3))
      .pool(3, 0)
      .pool(3, 1);
    history.toldAll(1, 2, 3).counters(3);
    expect(history.state()).to.equal('settling');
    expect(history.at(10_000).finish().result().steps[3]).to.include({ quietSinceMs: 8000 });
  });

  it('leaves a step that awaits nothing converged at once, and no invariant asks it to be whole', () => {
    const [, fault] = threeNodes(true).result().steps;
    expect(fault).to.include({ outcome: 'converged' });
    expect(threeNodes(true).result().ledger.stepEnds[1]).to.include({ converged: false });
  });
});

describe('a NIC that is missing', () => {
  const steps = [
    { fault: { nodes: 2, what: 'missing-nic', interface: 'eth1' } },
    { scale: { to: 2 } },
    { heal: {} },
  ];
  const all = rowsOf(1, 2);
  const butOne = all.filter(({ node, nic }) => node === 1 || nic === 0);
  const overEth0 = (node: number) => routesTo(node, [1, 2]).slice(0, 1);

  /** Two nodes with all that they can have, without the second NIC of the second. */
  function without(): MultiNicHistory {
    const history = new MultiNicHistory(MultiNicHistory.begun({ steps }).planned);
    history
      .ready()
      .begin('fault-missing-nic')
      .beginAction()
      .fault('2', MISSING)
      .endAction()
      .finish();
    history.at(100).begin('scale-2').act().node(1).node(2).discovered(1).discovered(2, 0);
    history
      .cidr(...butOne)
      .pool(1, 0)
      .pool(1, 1)
      .pool(2, 0);
    return history.told(1, overEth0(1)).told(2, overEth0(2)).counters(2);
  }
  const healed = (): MultiNicHistory =>
    without().at(2100).finish().at(3000).begin('heal').beginAction().heal('2', MISSING).endAction();

  it('lowers what is expected of its node', () => {
    const history = without();
    expect(heldIn(history)).to.deep.equal({
      daemon: 2,
      interfaces: 2,
      cidr: 2,
      pools: 2,
      routes: 2,
    });
    expect(brokenIn(history.at(2100).finish())).to.be.empty;
    expect(history.result().steps[1]).to.include({ outcome: 'converged' });
  });

  it('raises it again when it is healed', () => {
    const history = healed();
    expect(heldIn(history)).to.deep.equal({
      daemon: 2,
      interfaces: 1,
      cidr: 1,
      pools: 1,
      routes: 1,
    });
    history
      .at(3500)
      .discovered(2)
      .cidr(...all)
      .pool(2, 1)
      .toldAll(1, 2);
    expect(history.state()).to.equal('settling');
    expect(brokenIn(history.at(5500).finish())).to.be.empty;
  });

  it('takes its block with it, which is no loss; the block of another NIC is one', () => {
    const history = multiNicServed()
      .fault('2', MISSING)
      .at(3000)
      .cidr(...butOne);
    expect(brokenIn(history)).not.to.include('INV007');
    const other = all.filter(({ node, nic }) => node === 1 || nic === 1);
    expect(brokenIn(history.at(4000).cidr(...other))).to.include('INV007');
    expect(
      brokenIn(
        multiNicServed()
          .at(3000)
          .cidr(...butOne),
      ),
    ).to.include('INV007');
  });

  it('that was one too many takes its block with it, too, when it is healed', () => {
    const extra: Fault = { kind: 'extra-nic', interface: 'eth2' };
    const history = multiNicServed()
      .fault('2', extra)
      .cidr(...all, { node: 2, nic: 2 });
    expect(
      brokenIn(
        history
          .at(3000)
          .heal('2', extra)
          .at(3500)
          .cidr(...all),
      ),
    ).not.to.include('INV007');
  });
});

describe('a taint', () => {
  const podOf = (node: number) => ({
    name: `multi-nicd-${node}`,
    namespace: 'multi-nic-cni-operator',
  });
  const steps = [{ scale: { to: 2 } }, { taint: { nodes: 2, effect: 'NoExecute' } }];
  const tainted = (): MultiNicHistory =>
    multiNicServed({ steps })
      .at(3000)
      .begin('taint')
      .act()
      .node(2, { taints: ['sim/taint:NoExecute'] });

  it('excuses a node whose daemon it drives away, and nothing else', () => {
    const history = tainted().remove('pods', podOf(2));
    expect(history.counters(1).state()).to.equal('settling');
    expect(history.remove('pods', podOf(1)).state()).to.equal('pending');
  });

  it('excuses no node whose daemon runs on', () => {
    expect(
      tainted()
        .cidr(...rowsOf(1))
        .state(),
    ).to.equal('pending');
  });
});
