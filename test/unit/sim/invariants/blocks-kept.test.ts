import { expect } from 'chai';
import { blocksKept } from '../../../../src/sim/invariants/blocks-kept.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { rows, tables, twoNodes, twoRemoved, twoServed } from '../../../helpers/two-nodes.ts';

function messagesOf(history: HistoryBuilder): readonly string[] {
  const verdict = blocksKept.check(history.result());
  return verdict.status === 'broken' ? verdict.findings.map(({ message }) => message) : [];
}

describe('INV007, blocks are kept', () => {
  it('says that a block was lost for good', () => {
    expect(messagesOf(twoServed().at(5000).node(1, { podCIDRs: [] }))).to.deep.equal([
      'sim-1 lost 10.244.0.0/24 on pods at 5.000 s',
    ]);
  });

  it('says that the same block came back', () => {
    const history = twoServed().at(5000).node(1, { podCIDRs: [] }).at(5200).serve(1);
    expect(messagesOf(history)).to.deep.equal([
      'sim-1 lost 10.244.0.0/24 on pods at 5.000 s and got it again at 5.200 s',
    ]);
  });

  it('names each of several losses', () => {
    const history = twoServed().at(5000).serve(1, '10.244.7.0/24').at(6000).serve(1);
    expect(messagesOf(history)).to.have.length(2);
  });

  it('has nothing against nodes that go with their blocks', () => {
    expect(messagesOf(twoRemoved())).to.be.empty;
  });

  describe('around the removal of a node', () => {
    /** The block of sim-2 is given back so long before its node is seen to go. */
    const givenBack = (beforeMs: number): HistoryBuilder => {
      const history = twoServed({ steps: [{ scale: { to: 2 } }, { scale: { to: 1 } }] });
      history
        .at(10_000 - beforeMs)
        .begin('scale-1')
        .act()
        .node(2, { podCIDRs: [] });
      return history.at(10_000).removeNode(2);
    };

    it('allows for events of different kinds that arrive out of order', () => {
      expect(messagesOf(givenBack(1000))).to.be.empty;
    });

    it('allows for no more than a second of it', () => {
      expect(messagesOf(givenBack(1001))).to.deep.equal([
        'sim-2 lost 10.244.1.0/24 on pods at 8.999 s',
      ]);
    });
  });

  describe('when a name is used again', () => {
    const blocks = {
      a: { node: 'sim-1', cidr: '10.0.0.0/24' },
      b: { node: 'sim-2', cidr: '10.0.1.0/24' },
    };
    /** sim-2 goes at 5000 and is back at 8000; its row is still there. */
    const back = (): HistoryBuilder => {
      const history = rows(
        tables({ steps: [{ scale: { to: 2 } }, { scale: { to: 1 } }, { scale: { to: 2 } }] }),
        blocks,
      );
      history.at(2400).finish().at(5000).begin('scale-1').act().removeNode(2);
      return history.at(7000).finish().at(8000).begin('scale-2-2').act().node(2);
    };

    it('does not blame the first bearer for what the second one has', () => {
      const history = rows(back().at(8500), { a: blocks.a });
      rows(history.at(9000), { ...blocks, b: { node: 'sim-2', cidr: '10.0.2.0/24' } });
      expect(messagesOf(history)).to.be.empty;
    });

    it('does not take what the first one has left for a loss of the second', () => {
      const history = rows(back().at(9000), {
        ...blocks,
        b: { node: 'sim-2', cidr: '10.0.2.0/24' },
      });
      expect(messagesOf(history)).to.be.empty;
    });

    it('still catches a loss of the second', () => {
      const history = rows(back(), { a: blocks.a });
      const served = { ...blocks, b: { node: 'sim-2', cidr: '10.0.2.0/24' } };
      rows(history.at(9000), served);
      expect(messagesOf(rows(history.at(12_000), { a: blocks.a }))).to.deep.equal([
        'sim-2 lost 10.0.2.0/24 on net at 12.000 s',
      ]);
    });
  });

  it('takes a block that moves to another row within one entry for kept', () => {
    const history = rows(tables(), { a: { node: 'sim-1', cidr: '10.0.0.0/24' } });
    rows(history.at(5000), { b: { node: 'sim-1', cidr: '10.0.0.0/24' } });
    expect(messagesOf(history)).to.be.empty;
  });

  it('looks at the blocks of every node', () => {
    expect(blocksKept.check(twoNodes().at(300).serve(1).result())).to.deep.equal({
      status: 'held',
      checked: 1,
    });
  });
});
