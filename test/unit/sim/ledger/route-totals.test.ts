import { expect } from 'chai';
import { EMPTY_SET, type SetDigest } from '../../../../src/sim/base/set-digest.ts';
import { RouteTotals } from '../../../../src/sim/ledger/route-totals.ts';
import type { BlockFact } from '../../../../src/sim/model/facts.ts';
import { RouteTables } from '../../../../src/stubs/daemon/route-table.ts';

/** A block of a node on link k, received by `eth<k>` unless the test says otherwise. */
const block = (node: number, link: number, changes: Partial<BlockFact> = {}): BlockFact => ({
  kind: 'block',
  network: 'net',
  node: `sim-${node}`,
  interface: `eth${link}`,
  cidr: `192.168.${64 * link}.${node}/32`,
  parent: undefined,
  link: { netAddress: `10.${link}.0.0/16`, via: `10.${link}.0.${node}` },
  ...changes,
});

/** What a daemon says of its table once it was told these routes: `net via iface`. */
const tableOf = (...routes: readonly string[]): SetDigest =>
  new RouteTables().add(
    'net',
    routes.map((route) => {
      const [net = '', via = '', iface = ''] = route.split(' ');
      return { net, via, iface };
    }),
    true,
  );

const totalsOf = (...blocks: readonly BlockFact[]): RouteTotals => {
  const totals = new RouteTotals();
  for (const one of blocks) totals.add(one);
  return totals;
};

describe('RouteTotals', () => {
  it('gives a node the routes to its peers, and none to itself', () => {
    const totals = totalsOf(block(1, 0), block(2, 0), block(3, 0));
    expect(totals.routesTo('sim-1', 'net')).to.deep.equal(
      tableOf('192.168.0.2/32 10.0.0.2 eth0', '192.168.0.3/32 10.0.0.3 eth0'),
    );
  });

  it('gives it those of every link that it shares, and of no other', () => {
    const totals = totalsOf(block(1, 0), block(1, 1), block(2, 1), block(2, 2));
    expect(totals.routesTo('sim-1', 'net')).to.deep.equal(tableOf('192.168.64.2/32 10.1.0.2 eth1'));
  });

  it('takes the interface by which the receiver is on the link', () => {
    const totals = totalsOf(block(1, 0), block(2, 0, { interface: 'ens3' }));
    expect(totals.routesTo('sim-1', 'net')).to.deep.equal(tableOf('192.168.0.2/32 10.0.0.2 eth0'));
    expect(totals.routesTo('sim-2', 'net')).to.deep.equal(tableOf('192.168.0.1/32 10.0.0.1 ens3'));
  });

  it('leaves out all blocks of the node itself, when it has several on one link', () => {
    const totals = totalsOf(block(1, 0), block(1, 0, { cidr: '192.168.0.9/32' }), block(2, 0));
    expect(totals.routesTo('sim-1', 'net')).to.deep.equal(tableOf('192.168.0.2/32 10.0.0.2 eth0'));
    expect(totals.routesTo('sim-2', 'net').count).to.equal(2);
  });

  it('keeps networks apart', () => {
    const totals = totalsOf(block(1, 0), block(2, 0, { network: 'other' }));
    expect(totals.routesTo('sim-1', 'net')).to.deep.equal(EMPTY_SET);
    expect(totals.routesTo('sim-2', 'net')).to.deep.equal(EMPTY_SET);
  });

  it('gives none to a node without a block, or without peers', () => {
    const totals = totalsOf(block(1, 0));
    expect(totals.routesTo('sim-1', 'net')).to.deep.equal(EMPTY_SET);
    expect(totals.routesTo('sim-2', 'net')).to.deep.equal(EMPTY_SET);
  });

  it('passes over blocks that nobody can be sent to', () => {
    const { link: _, ...unreachable } = block(2, 0);
    const totals = totalsOf(block(1, 0), unreachable);
    expect(totals.routesTo('sim-1', 'net')).to.deep.equal(EMPTY_SET);
    totals.remove(unreachable);
    expect(totals.routesTo('sim-1', 'net')).to.deep.equal(EMPTY_SET);
  });

  it('leaves out a peer whose block went, before and after it was asked', () => {
    const [mine, gone, kept] = [block(1, 0), block(2, 0), block(3, 0)];
    const expected = tableOf('192.168.0.3/32 10.0.0.3 eth0');
    const unasked = totalsOf(mine, gone, kept);
    unasked.remove(gone);
    expect(unasked.routesTo('sim-1', 'net')).to.deep.equal(expected);
    const asked = totalsOf(mine, gone, kept);
    expect(asked.routesTo('sim-1', 'net').count).to.equal(2);
    asked.remove(gone);
    expect(asked.routesTo('sim-1', 'net')).to.deep.equal(expected);
  });

  it('comes to the same as a count of all routes, whatever comes and goes', () => {
    const totals = new RouteTotals();
    const present = new Map<string, BlockFact>();
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    let asked = 0;
    for (let turn = 0; turn < 500; turn++) {
      const one = block(1 + random(6), random(3));
      const known = present.get(one.cidr);
      if (known) totals.remove(known);
      else totals.add(one);
      if (known) present.delete(one.cidr);
      else present.set(one.cidr, one);
      const receiver = `sim-${1 + random(6)}`;
      const expected = tableOf(...routesTo(receiver, [...present.values()]));
      expect(totals.routesTo(receiver, 'net'), `turn ${turn}`).to.deep.equal(expected);
      asked += expected.count;
    }
    expect(asked).to.be.greaterThan(1000); // it was not all about nothing
  });
});

/** The long way round: every pair of blocks. */
const routesTo = (receiver: string, blocks: readonly BlockFact[]): readonly string[] =>
  blocks
    .filter(({ node }) => node === receiver)
    .flatMap((own) =>
      blocks
        .filter((b) => b.node !== receiver && b.link?.netAddress === own.link?.netAddress)
        .map(({ cidr, link }) => `${cidr} ${link?.via ?? ''} ${own.interface}`),
    );
