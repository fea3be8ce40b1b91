import { expect } from 'chai';
import { blockCounts } from '../../../../src/sim/invariants/block-counts.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { networkFor } from '../../../helpers/planned-scenario.ts';
import { rows, tables, twoNodes, twoServed } from '../../../helpers/two-nodes.ts';

function messagesOf(history: HistoryBuilder): readonly string[] {
  const verdict = blockCounts.check(history.result());
  return verdict.status === 'broken' ? verdict.findings.map(({ message }) => message) : [];
}

describe('INV004, block counts', () => {
  it('counts by network and interface', () => {
    const history = rows(tables({ operator: { profile: 'tables', interfaces: 2 } }), {
      a: { node: 'sim-1', interface: 'eth0', cidr: '10.0.0.0/24' },
      b: { node: 'sim-1', interface: 'eth0', cidr: '10.0.1.0/24' },
      c: { node: 'sim-2', interface: 'eth0', cidr: '10.0.2.0/24' },
      d: { node: 'sim-2', interface: 'eth1', cidr: '10.0.3.0/24' },
    });
    expect(messagesOf(history.at(2400).finish())).to.deep.equal([
      'sim-1 has 2 blocks (10.0.0.0/24, 10.0.1.0/24) on net eth0 instead of 1 after scale-2',
      'sim-1 has 0 blocks on net eth1 instead of 1 after scale-2',
    ]);
  });

  it('looks at the end of the step, and not at what happens before or after', () => {
    const history = twoNodes().at(200).serve(1, '10.244.0.0/24', '10.244.9.0/24');
    history.at(300).serve(1).at(400).serve(2).at(2400).finish();
    expect(messagesOf(history.at(3000).node(1, { podCIDRs: [] }))).to.be.empty;
  });

  it('looks at no step that missed its goal', () => {
    const history = twoServed({
      steps: [{ scale: { to: 2 } }, { scale: { to: 3, within: '1s', onMiss: 'continue' } }],
    });
    history.at(3000).begin('scale-3').act().node(3).at(5000).finish();
    expect(blockCounts.check(history.result())).to.include({ status: 'held', checked: 2 });
  });

  describe('when more nodes are expected than fit', () => {
    const overflow = (): HistoryBuilder =>
      twoNodes({ networks: [networkFor(1)], overflow: 'expected' });

    it('lets a node go without', () => {
      expect(messagesOf(overflow().at(300).serve(1).at(2400).finish())).to.be.empty;
    });

    it('still lets no node have two', () => {
      const history = overflow().at(300).serve(1, '10.244.0.0/25', '10.244.0.128/25');
      expect(messagesOf(history.at(2400).finish())).to.deep.equal([
        'sim-1 has 2 blocks (10.244.0.0/25, 10.244.0.128/25) on pods instead of 1 after scale-2',
      ]);
    });
  });
});
