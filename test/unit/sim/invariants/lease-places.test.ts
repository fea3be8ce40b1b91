import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { leasePlaces } from '../../../../src/sim/invariants/lease-places.ts';
import { heldBy, messagesOf } from '../../../helpers/findings.ts';
import { MultiNicHistory } from '../../../helpers/multi-nic-history.ts';
import { rows, tables } from '../../../helpers/two-nodes.ts';

/** A pool of sim-1 with one address given out, at 500 ms. */
const leased = (address: string, index: number, pool: JsonObject = {}): MultiNicHistory =>
  MultiNicHistory.begun()
    .at(500)
    .pool(1, 0, { allocations: [{ pod: 'a', namespace: 'default', index, address }], ...pool });

const found = (history: MultiNicHistory): readonly string[] => messagesOf(leasePlaces, history);

describe('INV009, the places of leases', () => {
  const excludes = ['192.168.0.16/28', '192.168.0.40/32'];
  const good: readonly (readonly [string, string, number, JsonObject])[] = [
    ['the first address of its pool', '192.168.0.0', 0, {}],
    ['an address within its pool', '192.168.0.20', 20, {}],
    ['the last address of its pool', '192.168.0.63', 63, {}],
    ['the only address of a pool of one', '192.168.0.7', 0, { podCIDR: '192.168.0.7/32' }],
    ['an address beyond the third byte', '192.168.1.4', 260, { podCIDR: '192.168.0.0/23' }],
    ['the last address before an excluded range', '192.168.0.15', 15, { excludes }],
    ['the first address after an excluded range', '192.168.0.32', 32, { excludes }],
    ['an address beside an excluded one', '192.168.0.41', 41, { excludes }],
    ['an address of an IPv6 pool', 'fd00::5', 5, { podCIDR: 'fd00::/64' }],
  ];
  for (const [title, address, index, pool] of good)
    it(`accepts ${title}`, () => {
      expect(heldBy(leasePlaces, leased(address, index, pool))).to.equal(1);
    });

  const bad: readonly (readonly [string, string, number, JsonObject, string])[] = [
    [
      'an address below its pool',
      '192.168.0.63',
      0,
      { podCIDR: '192.168.0.64/26' },
      'is outside its pool 192.168.0.64/26',
    ],
    ['an address above its pool', '192.168.0.64', 64, {}, 'is outside its pool 192.168.0.0/26'],
    ['an address of another family', 'fd00::1', 1, {}, 'is outside its pool 192.168.0.0/26'],
    [
      'a number that is not that of the address',
      '192.168.0.20',
      21,
      {},
      'has the number 21, which is 192.168.0.21 in 192.168.0.0/26',
    ],
    [
      'a number counted from one',
      '192.168.0.0',
      1,
      {},
      'has the number 1, which is 192.168.0.1 in 192.168.0.0/26',
    ],
    [
      'a number just beyond the pool',
      '192.168.0.63',
      64,
      {},
      'has the number 64, which is outside 192.168.0.0/26',
    ],
    [
      'a negative number',
      '192.168.0.1',
      -1,
      {},
      'has the number -1, which is outside 192.168.0.0/26',
    ],
    [
      'the first address of an excluded range',
      '192.168.0.16',
      16,
      { excludes },
      'is in the excluded range 192.168.0.16/28',
    ],
    [
      'the last address of an excluded range',
      '192.168.0.31',
      31,
      { excludes },
      'is in the excluded range 192.168.0.16/28',
    ],
    [
      'a single excluded address',
      '192.168.0.40',
      40,
      { excludes },
      'is in the excluded range 192.168.0.40/32',
    ],
    ['what is no address', '192.168.0', 1, {}, 'is not an address'],
    ['a range in place of an address', '192.168.0.1/26', 1, {}, 'is not an address'],
    ['no address', '', 1, {}, 'is not an address'],
    [
      'a pool without a range',
      '192.168.0.1',
      1,
      { podCIDR: '192.168.0.0' },
      'is in a pool without a range: 192.168.0.0',
    ],
  ];
  for (const [title, address, index, pool, wrong] of bad)
    it(`catches ${title}`, () => {
      expect(found(leased(address, index, pool))).to.deep.equal([
        `${address} of default/a on sim-1 (eth0) ${wrong} (since 0.500 s)`,
      ]);
    });

  it('catches what was wrong for a moment, in whatever step', () => {
    const history = leased('192.168.0.20', 21).at(600).leased(1, 0, { 21: 'a' });
    expect(found(history.at(30_100).finish())).to.have.length(1);
  });

  it('names every address that is wrong, and no other', () => {
    const allocations = [
      { pod: 'a', namespace: 'default', index: 1, address: '192.168.0.1' },
      { pod: 'b', namespace: 'default', index: 2, address: '192.168.0.3' },
      { pod: 'c', namespace: 'default', index: 4, address: '192.168.0.3' },
    ];
    const history = MultiNicHistory.begun().pool(1, 0, { allocations });
    expect(found(history).map((message) => message.split(' on ')[0])).to.deep.equal([
      '192.168.0.3 of default/b',
      '192.168.0.3 of default/c',
    ]);
  });

  it('judges an address by its pool as it is when the pool changes under it', () => {
    const history = leased('192.168.0.20', 20).at(900);
    const allocations = [{ pod: 'a', namespace: 'default', index: 20, address: '192.168.0.20' }];
    history.pool(1, 0, { allocations, excludes });
    expect(found(history)).to.deep.equal([
      '192.168.0.20 of default/a on sim-1 (eth0) is in the excluded range 192.168.0.16/28 (since 0.900 s)',
    ]);
  });

  it('does not look at leases of an operator that does not number them', () => {
    const history = rows(tables(), { a: { node: 'sim-1', owner: 'pod', address: 'nonsense' } });
    expect(leasePlaces.check(history.result())).to.deep.equal({
      status: 'not-applicable',
      reason: 'no address was leased by number',
    });
  });
});
