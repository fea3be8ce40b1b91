import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { nobodyStarves } from '../../../../src/sim/invariants/nobody-starves.ts';
import type { Verdict } from '../../../../src/sim/model/verdict.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { networkFor } from '../../../helpers/planned-scenario.ts';
import { tables, twoNodes, twoServed } from '../../../helpers/two-nodes.ts';

const check = (history: HistoryBuilder): Verdict => nobodyStarves.check(history.result());

describe('INV014, nobody starves', () => {
  const full = (): HistoryBuilder =>
    twoNodes({ networks: [networkFor(1)], overflow: 'expected' }).at(300);

  it('lets a node wait while the network is full', () => {
    expect(check(full().serve(1).at(2400).finish())).to.deep.equal({ status: 'held', checked: 1 });
  });

  it('catches a node that waits while one block is free', () => {
    const history = twoNodes({ networks: [networkFor(2)] })
      .at(300)
      .serve(1);
    expect(check(history.at(120_000).finish())).to.have.nested.property(
      'findings[0].message',
      '1 node without a block on pods while 1 block is free, at the end of scale-2: sim-2',
    );
  });

  it('names some of many nodes', () => {
    const history = twoServed({ steps: [{ scale: { to: 2 } }, { scale: { to: 9 } }] });
    history.at(3000).begin('scale-9').act();
    for (let i = 3; i <= 9; i++) history.node(i);
    expect(check(history.at(130_000).finish())).to.have.nested.property(
      'findings[0].message',
      '7 nodes without a block on pods while 254 blocks are free, at the end of scale-9: sim-3, sim-4, sim-5, sim-6, sim-7 and 2 more',
    );
  });

  it('looks at each network by itself', () => {
    const networks = ['a', 'b'].map((name) => ({ name, subnets: ['10.0.0.0/8'], blocks: 8 }));
    const history = tables({ networks });
    history.object(
      'tables',
      { name: 'a' },
      {
        fields: { network: 'a' },
        rows: {
          a: { node: 'sim-1', cidr: '10.0.0.0/24' },
          b: { node: 'sim-2', cidr: '10.0.1.0/24' },
        },
      },
    );
    const verdict = check(history.at(130_000).finish());
    expect(
      verdict.status === 'broken' && verdict.findings.map(({ message }) => message),
    ).to.deep.equal([
      '2 nodes without a block on b while 8 blocks are free, at the end of scale-2: sim-1, sim-2',
    ]);
  });

  const free = (): HistoryBuilder => twoNodes({ networks: [networkFor(2)] });
  const none = {
    status: 'not-applicable',
    reason: 'no step settled with nodes on a network whose number of blocks is known',
  };

  it('blames nobody for nodes without a block in a step that sim or the cluster ended', () => {
    for (const at of [200, 60_000])
      expect(check(free().at(at).finish('interrupted by SIGTERM'))).to.deep.equal(none);
  });

  it('blames nobody for a step that missed its goal while something still changed', () => {
    const history = free().at(118_000).serve(1).at(122_000).finish();
    expect(check(history)).to.deep.equal(none);
  });

  it('catches a node that waits in a step that missed its goal, five seconds after the last change', () => {
    const history = free().at(117_000).serve(1).at(122_000).finish();
    expect(check(history)).to.have.nested.property('findings.length', 1);
  });

  it('looks at no step that ends without nodes', () => {
    const steps: JsonObject[] = [{ scale: { to: 2 } }, { scale: { to: 0 } }];
    const history = twoServed({ steps }).at(3000).begin('scale-0').act();
    expect(check(history.removeNode(2).removeNode(1).at(6000).finish())).to.include({ checked: 1 });
  });

  it('tells how long blocks stood empty before they were used again', () => {
    const steps: JsonObject[] = [{ scale: { to: 2 } }, { scale: { to: 0 } }, { scale: { to: 2 } }];
    const history = twoServed({ steps }).at(3000).begin('scale-0').act();
    history.removeNode(2).removeNode(1).at(6000).finish().at(7000).begin('scale-2-2').act();
    history.node(1).node(2).at(8000).serve(1).at(8500).serve(2).at(11_000).finish();
    expect(check(history)).to.deep.equal({
      status: 'held',
      checked: 2,
      remark:
        '2 blocks used again, after 5.000 s at the soonest, 5.000 s in the median, 5.500 s at the latest',
    });
  });
});
