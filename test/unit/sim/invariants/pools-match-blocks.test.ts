import { expect } from 'chai';
import { poolsMatchBlocks } from '../../../../src/sim/invariants/pools-match-blocks.ts';
import { heldBy, messagesOf } from '../../../helpers/findings.ts';
import { MultiNicHistory, multiNicServed } from '../../../helpers/multi-nic-history.ts';
import { rowsOf } from '../../../helpers/multi-nic-raw.ts';

/** Served at 500 ms, in steps that converge without their pools. */
const served = (): MultiNicHistory => MultiNicHistory.begunWithout('pools').at(500).served(2);
const settled = (history: MultiNicHistory): MultiNicHistory => history.at(2500).finish();
/** How many things it looked at and found nothing wrong with. */
const held = (history: MultiNicHistory): number => heldBy(poolsMatchBlocks, history);
const found = (history: MultiNicHistory): readonly string[] =>
  messagesOf(poolsMatchBlocks, history);

const AFTER = 'after scale-2 at 2.500 s';
const STEPS = { steps: [{ scale: { to: 2, within: '30s' } }, { scale: { to: 1, within: '30s' } }] };

describe('INV005, pools match blocks', () => {
  describe('catches', () => {
    const rows: readonly (readonly [string, () => MultiNicHistory, readonly string[]])[] = [
      [
        'a block without a pool',
        () => served().removePool(1, 0),
        [`192.168.0.0/26 of sim-1 has no pool ${AFTER}`],
      ],
      [
        'a pool without a block',
        () => served().pool(2, 1, { podCIDR: '192.168.64.128/26' }, 'stale'),
        [`the pool of 192.168.64.128/26 for sim-2 belongs to no block ${AFTER}`],
      ],
      [
        'two pools of one block',
        () => served().pool(2, 0, {}, 'another'),
        [`192.168.0.64/26 of sim-2 has 2 pools ${AFTER}`],
      ],
      [
        'a pool of another node',
        () => served().pool(1, 0, { hostName: 'sim-2' }),
        [
          `block and pool of 192.168.0.0/26 disagree: node is sim-1 in the block of sim-1 and sim-2 in the pool ${AFTER}`,
        ],
      ],
      [
        'a pool of another interface',
        () => served().pool(1, 0, { interfaceName: 'eth1' }),
        [
          `block and pool of 192.168.0.0/26 disagree: interface is eth0 in the block of sim-1 and eth1 in the pool ${AFTER}`,
        ],
      ],
      [
        'a pool of another range, which is a block without a pool and a pool without a block',
        () => served().pool(1, 0, { podCIDR: '192.168.0.0/27' }),
        [
          `192.168.0.0/26 of sim-1 has no pool ${AFTER}`,
          `the pool of 192.168.0.0/27 for sim-1 belongs to no block ${AFTER}`,
        ],
      ],
      [
        'a pool of the same range on another network',
        () => served().pool(1, 0, { netAttachDef: 'other' }),
        [
          `192.168.0.0/26 of sim-1 has no pool ${AFTER}`,
          `the pool of 192.168.0.0/26 for sim-1 belongs to no block ${AFTER}`,
        ],
      ],
    ];
    for (const [title, history, messages] of rows)
      it(title, () => {
        expect(found(settled(history()))).to.deep.equal(messages);
      });

    it('every block, when there are no pools at all', () => {
      const history = MultiNicHistory.begunWithout('pools').at(500);
      for (const node of [1, 2]) history.discovered(node);
      history
        .cidr(...rowsOf(1, 2))
        .counters(2)
        .toldAll(1, 2);
      expect(found(settled(history))).to.have.length(4);
    });

    it('what is amiss when a step missed its goal, and nothing had changed for five seconds', () => {
      const history = MultiNicHistory.begun().at(500).served(2);
      history.at(25_000).pool(1, 0, { hostName: 'sim-2' }).at(30_100).finish();
      expect(history.result().steps[0]?.outcome).to.equal('failed');
      expect(found(history)).to.have.length(1);
    });

    it('the same at every point at which it is so', () => {
      const history = MultiNicHistory.begunWithout('pools', STEPS).at(500).served(2);
      settled(history.removePool(1, 0)).at(3000).begin('scale-1').act().gone(2);
      history
        .removePool(2, 0)
        .removePool(2, 1)
        .cidr(...rowsOf(1))
        .counters(1)
        .told(1, [])
        .at(5000)
        .finish();
      expect(found(history)).to.deep.equal([
        `192.168.0.0/26 of sim-1 has no pool ${AFTER}`,
        '192.168.0.0/26 of sim-1 has no pool after scale-1 at 5.000 s',
      ]);
    });
  });

  describe('accuses nobody', () => {
    it('of what was put right before the step had settled', () => {
      const history = served().removePool(1, 0).pool(2, 0, { hostName: 'sim-1' });
      history.at(2000).pool(1, 0).pool(2, 0);
      expect(held(history.at(4000).finish())).to.equal(8);
    });

    it('of pools that are seen before their blocks', () => {
      const history = MultiNicHistory.begun().at(500).discovered(1).discovered(2);
      for (const { node, nic } of rowsOf(1, 2)) history.pool(node, nic);
      history
        .at(600)
        .cidr(...rowsOf(1, 2))
        .counters(2)
        .toldAll(1, 2);
      expect(held(history.at(2600).finish())).to.equal(8);
    });

    it('of what is amiss when a step missed its goal and the controller was still at work', () => {
      const history = MultiNicHistory.begun().at(500).served(2).at(26_000).removePool(1, 0);
      const run = history.at(30_100).finish().result();
      expect(run.steps[0]?.outcome).to.equal('failed');
      expect(poolsMatchBlocks.check(run)).to.deep.equal({
        status: 'not-applicable',
        reason: 'no step settled with blocks',
      });
    });

    it('of what goes amiss between two steps, or while one is under way', () => {
      const history = multiNicServed(STEPS).removePool(1, 0).at(3000).begin('scale-1');
      expect(held(history.act().pool(2, 0, { hostName: 'sim-1' }))).to.equal(8);
    });

    it('of a pool that went with its node', () => {
      const history = multiNicServed(STEPS).at(3000).begin('scale-1').act().gone(2);
      history
        .counters(1)
        .told(1, [])
        .at(3500)
        .cidr(...rowsOf(1));
      history.at(4000).removePool(2, 0).removePool(2, 1);
      expect(held(history.at(6000).finish())).to.equal(8 + 4);
    });
  });

  it('names the objects that disagree', () => {
    const history = settled(served().pool(1, 0, { hostName: 'sim-2' }));
    const verdict = poolsMatchBlocks.check(history.result());
    expect(verdict)
      .to.have.nested.property('findings[0].objects')
      .that.deep.equals(['cidrs/net', 'ippools/net-192.168.0.0-26']);
  });
});
