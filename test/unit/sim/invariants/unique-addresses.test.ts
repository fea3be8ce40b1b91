import { expect } from 'chai';
import { uniqueAddresses } from '../../../../src/sim/invariants/unique-addresses.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import type { TableRow } from '../../../helpers/table-profile.ts';
import { rows, tables } from '../../../helpers/two-nodes.ts';

const ADDRESS = '10.0.0.1';
const lease = (owner: string, more: Partial<TableRow> = {}): TableRow => ({
  node: 'sim-1',
  owner,
  address: ADDRESS,
  ...more,
});

function messagesOf(history: HistoryBuilder): readonly string[] {
  const verdict = uniqueAddresses.check(history.result());
  return verdict.status === 'broken' ? verdict.findings.map(({ message }) => message) : [];
}

describe('INV001, unique addresses', () => {
  it('lets an address pass to another owner within one entry', () => {
    const history = rows(tables(), { a: lease('pod-a') });
    expect(messagesOf(rows(history.at(500), { a: lease('pod-b') }))).to.be.empty;
  });

  it('lets an address be used again after it was given back', () => {
    const history = rows(rows(tables(), { a: lease('pod-a') }), {});
    expect(messagesOf(rows(history, { b: lease('pod-b') }))).to.be.empty;
  });

  it('catches a duplicate that lasts only from one entry to the next, at the same time', () => {
    const history = rows(tables(), { a: lease('pod-a') });
    rows(history, { a: lease('pod-a'), b: lease('pod-b') });
    expect(messagesOf(rows(history, { b: lease('pod-b') }))).to.deep.equal([
      '10.0.0.1 on net is held by pod-a and by pod-b at 0.100 s',
    ]);
  });

  it('names every pair of three owners', () => {
    const history = rows(tables(), { a: lease('a'), b: lease('b'), c: lease('c') });
    expect(messagesOf(history)).to.have.length(3);
  });

  it('lets one owner be listed twice', () => {
    expect(messagesOf(rows(tables(), { a: lease('pod-a'), b: lease('pod-a') }))).to.be.empty;
  });

  it('lets owners share an address when they have the same sharing key, and only then', () => {
    const shared = (b: string | undefined): HistoryBuilder =>
      rows(tables(), {
        a: lease('pod-a', { sharingKey: 'x' }),
        b: lease('pod-b', b === undefined ? {} : { sharingKey: b }),
      });
    expect(messagesOf(shared('x'))).to.be.empty;
    expect(messagesOf(shared('y'))).to.have.length(1);
    expect(messagesOf(shared(undefined))).to.have.length(1);
  });

  it('lets different networks use the same address', () => {
    const history = rows(tables(), { a: lease('pod-a') });
    history.object(
      'tables',
      { name: 'other' },
      {
        fields: { network: 'other' },
        rows: { a: { node: 'sim-1', owner: 'pod-b', address: ADDRESS } },
      },
    );
    expect(messagesOf(history)).to.be.empty;
  });
});
