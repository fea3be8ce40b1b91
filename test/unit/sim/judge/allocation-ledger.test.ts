import { expect } from 'chai';
import { judged } from '../../../helpers/judged.ts';
import { type MultiNicHistory, multiNicServed } from '../../../helpers/multi-nic-history.ts';
import { addressOf, allocationOf } from '../../../helpers/multi-nic-raw.ts';
import { podOwner } from '../../../../src/sim/model/pod-names.ts';

const [A, B] = [podOwner(1, 1), podOwner(1, 2)];
/** The second and the third address of sim-1's first block. */
const [ONE, TWO] = [addressOf(1, 0, 1), addressOf(1, 0, 2)];

/** A step in which two pods of sim-1 ask for addresses. */
const asking = (...later: readonly string[]): MultiNicHistory =>
  multiNicServed({
    steps: [
      { scale: { to: 2 } },
      { allocate: { nodes: 1, podsPerNode: 2, within: '5s' } },
      ...later.map((kind) => ({ [kind]: { within: '5s' } })),
    ],
  })
    .at(3000)
    .begin('allocate')
    .act()
    .at(4000);

/** Both pods have what they were told: an address on every interface. */
const served = (...later: readonly string[]): MultiNicHistory =>
  asking(...later)
    .granted(1, A, { 0: ONE, 1: addressOf(1, 1, 1) })
    .granted(1, B, { 0: TWO, 1: addressOf(1, 1, 2) })
    .leased(1, 0, { 1: A, 2: B })
    .leased(1, 1, { 1: A, 2: B });

/** All findings of the invariants, once the operator has been at rest for a while. */
function found(history: MultiNicHistory): readonly string[] {
  const { invariants } = judged(history.at(history.now + 12_000).finish());
  return invariants.flatMap(({ code, findings }) =>
    findings.map(({ message }) => `${code} ${message}`),
  );
}
const AFTER = 'after allocate at 16.000 s';

describe('the ledger of addresses', () => {
  it('has nothing against pools that say what daemons have answered', () => {
    expect(found(served())).to.be.empty;
  });

  it('finds a reply that is in no pool', () => {
    expect(found(served().leased(1, 0, { 1: A }))).to.deep.equal([
      `INV008 192.168.0.2 was granted to sim-system/sim-1-pod-2 on sim-1 (eth0) but is in no pool, ${AFTER}`,
    ]);
  });

  it('finds a row that nobody asked for', () => {
    expect(found(served().leased(1, 0, { 1: A, 2: B, 7: 'ns/ghost' }))).to.deep.equal([
      `INV008 192.168.0.7 of ns/ghost on sim-1 (eth0) is in a pool but was not granted, or was given back, ${AFTER}`,
    ]);
  });

  it('finds an address outside its pool', () => {
    const outside = { ...allocationOf(1, 0, B, 2), address: '192.168.0.66' };
    const history = asking()
      .granted(1, A, { 0: ONE })
      .granted(1, B, { 0: '192.168.0.66' })
      .pool(1, 0, { allocations: [allocationOf(1, 0, A, 1), outside] });
    expect(found(history)).to.deep.equal([
      'INV009 192.168.0.66 of sim-system/sim-1-pod-2 on sim-1 (eth0) is outside its pool 192.168.0.0/26 (since 4.000 s)',
    ]);
  });

  it('finds an address that two pods have', () => {
    const twice = { ...allocationOf(1, 0, B, 1) };
    const history = asking()
      .granted(1, A, { 0: ONE })
      .granted(1, B, { 0: ONE })
      .pool(1, 0, { allocations: [allocationOf(1, 0, A, 1), twice] });
    expect(found(history)).to.deep.equal([
      'INV001 192.168.0.1 on net is held by sim-system/sim-1-pod-1 and by sim-system/sim-1-pod-2 at 4.000 s',
    ]);
  });

  it('finds a row that is left after its address was given back', () => {
    const history = served('deallocate').at(6000).finish();
    history.at(7000).begin('deallocate').act();
    for (const [owner, index] of [
      [A, 1],
      [B, 2],
    ] as const)
      history.granted(
        1,
        owner,
        { 0: addressOf(1, 0, index), 1: addressOf(1, 1, index) },
        { path: '/deallocate' },
      );
    history.leased(1, 1, {}).leased(1, 0, { 2: B });
    expect(found(history)).to.deep.equal([
      'INV008 192.168.0.2 of sim-system/sim-1-pod-2 on sim-1 (eth0) is in a pool but was not granted, or was given back, after deallocate at 19.000 s',
    ]);
  });

  it('finds nothing left when all was given back', () => {
    const history = served('deallocate').at(6000).finish().at(7000).begin('deallocate').act();
    const back = { path: '/deallocate' };
    history.granted(1, A, { 0: ONE, 1: addressOf(1, 1, 1) }, back);
    history.granted(1, B, { 0: TWO, 1: addressOf(1, 1, 2) }, back);
    expect(found(history.leased(1, 0, {}).leased(1, 1, {}))).to.be.empty;
  });
});
