import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { objectKey, ObjectStore } from '../../../../src/sim/ledger/object-store.ts';
import type { HistoryEntryOf } from '../../../../src/sim/model/history.ts';

type Change = Partial<Omit<HistoryEntryOf<'object'>, 'kind'>>;

const entry = (change: Change = {}): HistoryEntryOf<'object'> => ({
  kind: 'object',
  seq: 0,
  atMs: 0,
  op: 'modified',
  resource: 'tables',
  name: 't',
  uid: 'u1',
  resourceVersion: '1',
  ...change,
});

describe('objectKey', () => {
  it('has the namespace where there is one', () => {
    expect(objectKey('pods', { namespace: 'a', name: 'b' })).to.equal('pods/a/b');
    expect(objectKey('nodes', { namespace: '', name: 'b' })).to.equal('nodes/b');
    expect(objectKey('nodes', { name: 'b' })).to.equal('nodes/b');
  });
});

describe('ObjectStore', () => {
  let store: ObjectStore;
  const rows = { a: { n: 1 }, b: { n: 2 } };

  beforeEach(() => {
    store = new ObjectStore();
    store.apply(entry({ op: 'added', fields: { x: 1 }, set: rows }));
  });

  const stored = () => {
    const object = store.get('tables/t');
    return object && { fields: object.fields, rows: Object.fromEntries(object.rows) };
  };

  describe('tells what a projection changes', () => {
    const cases: readonly (readonly [string, JsonObject, Record<string, JsonObject>, unknown])[] = [
      ['nothing', { x: 1 }, rows, undefined],
      ['the fields', { x: 2 }, rows, { fields: { x: 2 } }],
      ['one row', { x: 1 }, { ...rows, b: { n: 3 } }, { set: { b: { n: 3 } } }],
      ['a new row', { x: 1 }, { ...rows, c: { n: 3 } }, { set: { c: { n: 3 } } }],
      ['a row that is gone', { x: 1 }, { b: { n: 2 } }, { unset: ['a'] }],
      [
        'the key of a row',
        { x: 1 },
        { a: { n: 1 }, c: { n: 2 } },
        {
          set: { c: { n: 2 } },
          unset: ['b'],
        },
      ],
      ['everything', {}, {}, { fields: {}, unset: ['a', 'b'] }],
    ];
    for (const [title, fields, newRows, delta] of cases)
      it(`when it changes ${title}`, () => {
        expect(store.delta('tables/t', { fields, rows: newRows })).to.deep.equal(delta);
      });

    it('when the object is new, even if it is empty', () => {
      expect(store.delta('tables/other', { fields: {} })).to.deep.equal({ fields: {} });
    });

    it('and comes to the same object when the change is applied', () => {
      const projection = { fields: { x: 2 }, rows: { b: { n: 9 }, c: { n: 3 } } };
      store.apply(entry(store.delta('tables/t', projection)));
      expect(stored()).to.deep.equal(projection);
      expect(store.delta('tables/t', projection)).to.be.undefined;
    });
  });

  describe('tells what an entry did', () => {
    it('when an object is new', () => {
      const change = store.apply(entry({ op: 'added', name: 'new', fields: { y: 1 } }));
      expect(change).to.deep.include({
        resource: 'tables',
        key: 'tables/new',
        before: undefined,
        fieldsChanged: true,
        changedRows: [],
      });
      expect(change.after).to.deep.include({ name: 'new', namespace: '', fields: { y: 1 } });
    });

    it('when only rows changed', () => {
      const change = store.apply(entry({ set: { a: { n: 5 } }, unset: ['b'] }));
      expect(change).to.deep.include({ fieldsChanged: false, changedRows: ['a', 'b'] });
      expect(stored()).to.deep.equal({ fields: { x: 1 }, rows: { a: { n: 5 } } });
    });

    it('when a write changed nothing of what is kept', () => {
      const change = store.apply(entry());
      expect(change).to.deep.include({ fieldsChanged: false, changedRows: [] });
    });

    it('when an object is deleted: all its rows are gone with it', () => {
      const change = store.apply(entry({ op: 'deleted' }));
      expect(change.before?.uid).to.equal('u1');
      expect(change).to.deep.include({
        after: undefined,
        fieldsChanged: true,
        changedRows: ['a', 'b'],
      });
      expect(store.get('tables/t')).to.be.undefined;
    });

    it('when an object is deleted that was never seen', () => {
      const change = store.apply(entry({ op: 'deleted', name: 'unseen' }));
      expect(change).to.deep.include({ before: undefined, after: undefined, changedRows: [] });
    });
  });

  it('lists the objects of one kind, and not of one whose name begins alike', () => {
    store.apply(entry({ op: 'added', resource: 'tablespaces', name: 'other' }));
    expect(store.ofResource('tables').map(({ name }) => name)).to.deep.equal(['t']);
  });
});
