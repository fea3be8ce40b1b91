import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { runMs } from '../../../../src/sim/base/units.ts';
import { FactBook, type Touched } from '../../../../src/sim/ledger/fact-book.ts';
import { ObjectStore } from '../../../../src/sim/ledger/object-store.ts';
import { observedResources } from '../../../../src/sim/model/core-resources.ts';
import type { HistoryEntryOf } from '../../../../src/sim/model/history.ts';
import { plannedFor } from '../../../helpers/planned-scenario.ts';
import { tableProfile, tableScenario } from '../../../helpers/table-profile.ts';

const { model } = plannedFor(tableProfile, tableScenario());

/** Writes to one table, and what the book then knows. */
class Desk {
  readonly book = new FactBook(observedResources(model.resources));
  readonly #store = new ObjectStore();
  #seq = 0;

  write(change: Partial<HistoryEntryOf<'object'>>): Touched {
    const seq = this.#seq++;
    const entry: HistoryEntryOf<'object'> = {
      kind: 'object',
      seq,
      atMs: seq * 100,
      op: 'modified',
      resource: 'tables',
      name: 't',
      uid: 'u1',
      resourceVersion: '1',
      ...change,
    };
    return this.book.apply(this.#store.apply(entry), { seq, atMs: runMs(entry.atMs) });
  }

  /** Every block that there ever was, as `node cidr from-to`, by the order of the entries. */
  blocks(): readonly string[] {
    return this.book
      .ofKind('block')
      .map(({ fact, from, to }) => `${fact.node} ${fact.cidr} ${from.seq}-${to?.seq ?? ''}`);
  }
}

const row = (node: string, cidr: string): JsonObject => ({ node, cidr });
const fields = { network: 'net' };

describe('FactBook', () => {
  let desk: Desk;

  beforeEach(() => {
    desk = new Desk();
    desk.write({ op: 'added', fields, set: { a: row('sim-1', '10.0.0.0/24') } });
  });

  it('opens a fact where it is first said, and names the object that says it', () => {
    const [life] = desk.book.ofKind('block');
    expect(life).to.deep.include({ object: 'tables/t', from: { seq: 0, atMs: 0 }, to: undefined });
    expect(life?.fact).to.include({ network: 'net', node: 'sim-1', interface: 'eth0' });
  });

  it('closes a fact where it is no longer said', () => {
    desk.write({ unset: ['a'] });
    expect(desk.blocks()).to.deep.equal(['sim-1 10.0.0.0/24 0-1']);
  });

  it('closes and opens in one moment when a row says something else', () => {
    desk.write({ set: { a: row('sim-1', '10.0.1.0/24') } });
    expect(desk.blocks()).to.deep.equal(['sim-1 10.0.0.0/24 0-1', 'sim-1 10.0.1.0/24 1-']);
  });

  it('leaves a fact open that is said again', () => {
    desk.write({ set: { a: row('sim-1', '10.0.0.0/24') } });
    desk.write({ fields: { ...fields, counters: { total: 1 } } });
    expect(desk.blocks()).to.deep.equal(['sim-1 10.0.0.0/24 0-']);
  });

  it('closes everything that an object said when it is deleted', () => {
    desk.write({ set: { b: row('sim-2', '10.0.1.0/24') } });
    desk.write({ op: 'deleted' });
    expect(desk.blocks()).to.deep.equal(['sim-1 10.0.0.0/24 0-2', 'sim-2 10.0.1.0/24 1-2']);
  });

  it('opens a new life for a fact that comes back', () => {
    desk.write({ unset: ['a'] });
    desk.write({ set: { a: row('sim-1', '10.0.0.0/24') } });
    expect(desk.blocks()).to.deep.equal(['sim-1 10.0.0.0/24 0-1', 'sim-1 10.0.0.0/24 2-']);
  });

  it('reads every row anew when the fields change, since rows hang on them', () => {
    desk.write({ fields: { network: 'renamed' } });
    expect(desk.book.ofKind('block').map(({ fact }) => fact.network)).to.deep.equal([
      'net',
      'renamed',
    ]);
  });

  describe('as a view of what is true now', () => {
    it('gives the facts of a node by their kind', () => {
      desk.write({
        set: {
          b: row('sim-2', '10.0.1.0/24'),
          c: { node: 'sim-1', owner: 'pod', address: '10.0.0.1' },
        },
      });
      expect(desk.book.of('sim-1', 'block').map(({ cidr }) => cidr)).to.deep.equal(['10.0.0.0/24']);
      expect(desk.book.of('sim-1', 'lease').map(({ owner }) => owner)).to.deep.equal(['pod']);
      expect(desk.book.of('sim-3', 'block')).to.be.empty;
      expect(desk.book.countOf('sim-1')).to.equal(2);
    });

    it('forgets a node of which nothing is said any more', () => {
      desk.write({ unset: ['a'] });
      expect(desk.book.of('sim-1', 'block')).to.be.empty;
      expect(desk.book.countOf('sim-1')).to.equal(0);
      expect([...desk.book.nodesWithFacts()]).to.be.empty;
    });

    it('knows a fact that two rows say until neither says it', () => {
      desk.write({ set: { b: row('sim-1', '10.0.0.0/24') } });
      desk.write({ unset: ['a'] });
      expect(desk.book.countOf('sim-1')).to.equal(1);
    });
  });

  describe('tells what a change touched', () => {
    it('names the node that lost a block and the one that got it', () => {
      const { nodes } = desk.write({ set: { a: row('sim-2', '10.0.0.0/24') } });
      expect([...nodes]).to.have.members(['sim-1', 'sim-2']);
    });

    it('names nothing when nothing changed', () => {
      const { nodes, counters } = desk.write({ set: { a: row('sim-1', '10.0.0.0/24') } });
      expect([...nodes, ...counters]).to.be.empty;
    });

    it('gives the new values of counters', () => {
      const { counters } = desk.write({ fields: { ...fields, counters: { total: 3 } } });
      expect(counters).to.deep.equal([
        { kind: 'counter', network: 'net', counter: 'total', value: 3 },
      ]);
    });
  });

  it('passes over objects of a kind that the operator does not have', () => {
    const { nodes } = desk.write({ resource: 'weather', op: 'added', fields });
    expect([...nodes]).to.be.empty;
  });
});
