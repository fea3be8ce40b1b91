import { expect } from 'chai';
import { leasesMatchGrants } from '../../../../src/sim/invariants/leases-match-grants.ts';
import { heldBy, messagesOf } from '../../../helpers/findings.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { MultiNicHistory } from '../../../helpers/multi-nic-history.ts';
import { addressOf, allocationOf, rowsOf } from '../../../helpers/multi-nic-raw.ts';
import { rows, tables } from '../../../helpers/two-nodes.ts';

const STEPS = { steps: [{ scale: { to: 2, within: '30s' } }, { scale: { to: 1, within: '30s' } }] };
const DEALLOCATE = { path: '/deallocate' };

const served = (): MultiNicHistory => MultiNicHistory.begun(STEPS).at(500).served(2);
/** An address by its number in the block of sim-1's first interface. */
const address = (index: number) => ({ 0: addressOf(1, 0, index) });
/** The same, of a pod `a` that daemon and pool both know. */
const allocated = (): MultiNicHistory =>
  served().granted(1, 'a', address(1)).leased(1, 0, { 1: 'a' });
const settled = (history: MultiNicHistory): MultiNicHistory => history.at(2500).finish();

const found = (history: MultiNicHistory): readonly string[] =>
  messagesOf(leasesMatchGrants, settled(history));
const held = (history: MultiNicHistory): number => heldBy(leasesMatchGrants, settled(history));

const AFTER = 'after scale-2 at 2.500 s';
const lost = (ip: string, owner = 'default/a'): string =>
  `${ip} was granted to ${owner} on sim-1 (eth0) but is in no pool, ${AFTER}`;
const stray = (ip: string, owner = 'default/a'): string =>
  `${ip} of ${owner} on sim-1 (eth0) is in a pool but was not granted, or was given back, ${AFTER}`;

describe('INV008, leases match grants', () => {
  describe('catches', () => {
    it('an address that was granted and is in no pool', () => {
      expect(found(served().granted(1, 'a', address(1)))).to.deep.equal([lost('192.168.0.1')]);
    });

    it('an address that is lost from its pool later, when the list is written anew', () => {
      const history = allocated().granted(1, 'b', address(2)).leased(1, 0, { 2: 'b' });
      expect(found(history)).to.deep.equal([lost('192.168.0.1')]);
    });

    it('an address in a pool that no daemon has granted', () => {
      expect(found(served().leased(1, 0, { 1: 'a' }))).to.deep.equal([stray('192.168.0.1')]);
    });

    it('an address that was given back and is still in its pool', () => {
      const history = allocated().granted(1, 'a', address(1), DEALLOCATE);
      expect(found(history)).to.deep.equal([stray('192.168.0.1')]);
    });

    it('an address other than the one that was granted', () => {
      const history = served().granted(1, 'a', address(1)).leased(1, 0, { 2: 'a' });
      expect(found(history)).to.deep.equal([lost('192.168.0.1'), stray('192.168.0.2')]);
    });

    it('an address that is listed for another owner', () => {
      const history = served().granted(1, 'a', address(1)).leased(1, 0, { 1: 'b' });
      expect(found(history)).to.deep.equal([
        lost('192.168.0.1'),
        stray('192.168.0.1', 'default/b'),
      ]);
    });

    it('an address in the pool of another interface', () => {
      const row = { ...allocationOf(1, 0, 'a', 1) };
      const history = served()
        .granted(1, 'a', address(1))
        .pool(1, 1, { allocations: [row] });
      expect(found(history)).to.have.length(2);
    });

    it('an address that a pool has twice', () => {
      const row = allocationOf(1, 0, 'a', 1);
      const history = allocated().pool(1, 0, { allocations: [row, row] });
      expect(found(history)).to.deep.equal([
        `192.168.0.1 of default/a on sim-1 (eth0) is in a pool 2 times, ${AFTER}`,
      ]);
    });

    it('every address, when nobody has granted any', () => {
      expect(found(served().leased(1, 0, { 1: 'a', 2: 'b' }))).to.have.length(2);
    });
  });

  describe('has nothing against', () => {
    it('addresses of which both say the same', () => {
      expect(held(allocated())).to.equal(2);
    });

    it('one pod with an address on each interface', () => {
      const history = served().granted(1, 'a', { ...address(1), 1: addressOf(1, 1, 1) });
      expect(held(history.leased(1, 0, { 1: 'a' }).leased(1, 1, { 1: 'a' }))).to.equal(4);
    });

    it('a row that is seen before the call is known, or after', () => {
      const before = served().leased(1, 0, { 1: 'a' }).at(600).granted(1, 'a', address(1));
      expect(held(before)).to.equal(2);
      const after = served().granted(1, 'a', address(1)).at(600).leased(1, 0, { 1: 'a' });
      expect(held(after)).to.equal(2);
    });

    it('addresses that were all given back, which is looked at too', () => {
      const history = allocated().granted(1, 'a', address(1), DEALLOCATE).leased(1, 0, {});
      expect(held(history)).to.equal(1);
    });

    it('an address whose client did not wait for the answer', () => {
      const history = served().granted(1, 'a', address(1), { status: 0 }).leased(1, 0, { 1: 'a' });
      expect(held(history)).to.equal(2);
    });

    it('a pod that asked again because it got no answer, and has two addresses', () => {
      const history = served().granted(1, 'a', address(1), { status: 0 });
      history.granted(1, 'a', address(2)).leased(1, 0, { 1: 'a', 2: 'a' });
      expect(held(history)).to.equal(4);
    });

    it('an address that passed from one pod to another', () => {
      const history = allocated().granted(1, 'a', address(1), DEALLOCATE).leased(1, 0, {});
      expect(held(history.granted(1, 'b', address(1)).leased(1, 0, { 1: 'b' }))).to.equal(2);
    });

    it('what differs while a step is under way, or missed its goal with somebody still at work', () => {
      const history = MultiNicHistory.begun().at(500).served(2).removePool(2, 0);
      history.at(26_000).granted(1, 'a', address(1)).at(30_100).finish();
      expect(leasesMatchGrants.check(history.result())).to.deep.equal({
        status: 'not-applicable',
        reason: 'no address was asked for',
      });
    });

    it('what a node that is gone had granted', () => {
      const history = served()
        .granted(2, 'a', { 0: addressOf(2, 0, 1) })
        .leased(2, 0, { 1: 'a' });
      settled(history).at(3000).begin('scale-1').act().gone(2);
      // Its daemon is ended after it, and the end of its last call is known later still.
      history.at(3100).granted(2, 'b', { 0: addressOf(2, 0, 2) }, { status: 0 });
      history
        .removePool(2, 0)
        .removePool(2, 1)
        .cidr(...rowsOf(1))
        .counters(1)
        .told(1, []);
      expect(heldBy(leasesMatchGrants, history.at(5200).finish())).to.equal(2 + 1);
    });

    it('addresses on a real node, whose daemon is not one of ours', () => {
      const history = allocated().pool(9, 0, {
        hostName: 'worker',
        allocations: [allocationOf(9, 0, 'a', 1)],
      });
      expect(held(history)).to.equal(2);
    });

    it('the leases of an operator without daemons', () => {
      const table = {
        a: { node: 'sim-1', cidr: '10.0.0.0/24' },
        b: { node: 'sim-2', cidr: '10.0.1.0/24' },
        c: { node: 'sim-1', owner: 'pod-a', address: '10.0.0.1' },
      };
      const history: HistoryBuilder = rows(tables(), table).at(2400).finish();
      expect(leasesMatchGrants.check(history.result())).to.deep.equal({
        status: 'not-applicable',
        reason: 'the operator has no daemons that give out addresses',
      });
    });
  });
});
