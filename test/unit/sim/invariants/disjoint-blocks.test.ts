import { expect } from 'chai';
import { disjointBlocks } from '../../../../src/sim/invariants/disjoint-blocks.ts';
import { overlaps, parseBlock } from '../../../../src/sim/model/address.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import type { TableRow } from '../../../helpers/table-profile.ts';
import { rows, tables, twoNodes } from '../../../helpers/two-nodes.ts';

const block = (node: number, cidr: string, nic = 'eth0'): TableRow => ({
  node: `sim-${node}`,
  interface: nic,
  cidr,
});

function messagesOf(history: HistoryBuilder): readonly string[] {
  const verdict = disjointBlocks.check(history.result());
  return verdict.status === 'broken' ? verdict.findings.map(({ message }) => message) : [];
}

describe('INV002, disjoint blocks', () => {
  const [one, two] = ['10.0.0.0/24', '10.0.1.0/24'];

  it('takes a swap within one entry for no overlap', () => {
    const history = rows(tables(), { a: block(1, one), b: block(2, two) });
    rows(history.at(500), { a: block(1, two), b: block(2, one) });
    expect(messagesOf(history)).to.be.empty;
  });

  it('takes five blocks that all move on within one entry for no overlap', () => {
    const turned = (by: number): Record<string, TableRow> =>
      Object.fromEntries(
        [0, 1, 2, 3, 4].map((i) => [`r${i}`, block(i + 1, `10.0.${(i + by) % 5}.0/24`)]),
      );
    const history = rows(tables(), turned(0));
    for (const by of [1, 3, 4]) rows(history.at(500 + by), turned(by));
    expect(messagesOf(history)).to.be.empty;
  });

  it('takes a block that goes to another node within one entry for no overlap', () => {
    const history = rows(tables(), { a: block(1, one) });
    expect(messagesOf(rows(history.at(500), { b: block(2, one) }))).to.be.empty;
  });

  it('takes a block that was given back before it was given out for no overlap', () => {
    const history = twoNodes().at(300).serve(1).at(400).node(1, { podCIDRs: [] });
    expect(messagesOf(history.serve(2, '10.244.0.0/24'))).to.be.empty;
  });

  it('catches a duplicate that lasts only from one entry to the next, at the same time', () => {
    const history = twoNodes().at(300).serve(1).at(400).serve(2, '10.244.0.0/24').serve(2);
    expect(messagesOf(history)).to.deep.equal([
      'on pods, 10.244.0.0/24 of sim-1 and 10.244.0.0/24 of sim-2 overlap since 0.400 s',
    ]);
  });

  it('catches a block inside a larger one, whichever came first', () => {
    for (const [first, then] of [
      ['10.0.0.0/16', two],
      [two, '10.0.0.0/16'],
    ] as const) {
      const history = rows(tables(), { a: block(1, first) });
      rows(history.at(500), { a: block(1, first), b: block(2, then) });
      expect(messagesOf(history)).to.deep.equal([
        `on net, ${first} of sim-1 (eth0) and ${then} of sim-2 (eth0) overlap since 0.500 s`,
      ]);
    }
  });

  it('catches every later overlap, also one that is no neighbour of the first', () => {
    const table = { a: block(1, '10.0.0.0/16'), b: block(2, two) };
    const history = rows(tables(), table);
    rows(history.at(500), { ...table, c: block(3, '10.0.200.0/24') });
    expect(messagesOf(history)).to.have.length(2);
    expect(messagesOf(history)[1]).to.match(
      /10\.0\.0\.0\/16 of sim-1 .* 10\.0\.200\.0\/24 of sim-3/,
    );
  });

  it('catches two interfaces of one node with the same block', () => {
    const history = rows(tables(), { a: block(1, one), b: block(1, one, 'eth1') });
    expect(messagesOf(history)[0]).to.contain('of sim-1 (eth0) and 10.0.0.0/24 of sim-1 (eth1)');
  });

  it('lets different networks use the same addresses', () => {
    const history = rows(tables(), { a: block(1, one) });
    history.object(
      'tables',
      { name: 'other' },
      { fields: { network: 'other' }, rows: { a: { node: 'sim-2', cidr: one } } },
    );
    expect(messagesOf(history)).to.be.empty;
  });

  it('holds IPv4 and IPv6 apart', () => {
    expect(messagesOf(rows(tables(), { a: block(1, '0.0.0.0/0'), b: block(2, '::/0') }))).to.be
      .empty;
  });

  it('leaves what is no CIDR to INV003', () => {
    const history = rows(tables(), { a: block(1, 'none'), b: block(2, 'none') });
    expect(messagesOf(rows(history, {}))).to.be.empty;
  });

  it('finds an overlap in random recordings exactly when comparing all pairs does', () => {
    const broken = Array.from({ length: 60 }, (_, seed) => {
      const history = randomTables(seed);
      const lives = history.result().ledger.facts('block');
      const clash = lives.some((a, i) =>
        lives
          .slice(i + 1)
          .some(
            (b) =>
              overlaps(parseBlock(a.fact.cidr)!, parseBlock(b.fact.cidr)!) &&
              a.from.seq < (b.to?.seq ?? Infinity) &&
              b.from.seq < (a.to?.seq ?? Infinity),
          ),
      );
      expect(messagesOf(history).length > 0, `seed ${seed}`).to.equal(clash);
      return clash;
    });
    expect(broken.filter(Boolean).length).to.be.within(10, 50); // both kinds were tried
  });
});

/** Rows of four nodes that get and lose blocks of two sizes, out of a small range. */
function randomTables(seed: number): HistoryBuilder {
  let state = seed * 7919 + 1;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const table: Record<string, TableRow> = {};
  const history = tables();
  for (let i = 0; i < 12; i++) {
    const key = `r${random(4)}`;
    const cidr = random(4) === 0 ? `10.0.${random(12) * 4}.0/22` : `10.0.${random(48)}.0/24`;
    if (random(3) === 0) Reflect.deleteProperty(table, key);
    else table[key] = block(random(4) + 1, cidr);
    rows(history.at(1000 + i), { ...table });
  }
  return history;
}
