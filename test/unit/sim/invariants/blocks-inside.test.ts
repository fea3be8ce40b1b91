import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { blocksInside } from '../../../../src/sim/invariants/blocks-inside.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import type { TableRow } from '../../../helpers/table-profile.ts';
import { rows, tables, twoNodes } from '../../../helpers/two-nodes.ts';

function messagesOf(history: HistoryBuilder): readonly string[] {
  const verdict = blocksInside.check(history.result());
  return verdict.status === 'broken' ? verdict.findings.map(({ message }) => message) : [];
}

const NETWORK: JsonObject = { name: 'net', subnets: ['10.0.0.0/8'], excludes: ['10.9.0.0/16'] };
const withBlock = (row: Omit<TableRow, 'node'>): HistoryBuilder =>
  rows(tables({ networks: [NETWORK] }), { a: { node: 'sim-1', ...row } });

describe('INV003, blocks inside', () => {
  const rowsOf: readonly (readonly [string, Omit<TableRow, 'node'>, string | undefined])[] = [
    ['a block of the subnet', { cidr: '10.1.0.0/24' }, undefined],
    ['a block inside its parent', { cidr: '10.1.0.0/24', parent: '10.1.0.0/16' }, undefined],
    ['a block as large as its parent', { cidr: '10.1.0.0/24', parent: '10.1.0.0/24' }, undefined],
    [
      'a block outside its parent',
      { cidr: '10.1.0.0/24', parent: '10.2.0.0/16' },
      '10.1.0.0/24 of sim-1 on net is outside its parent 10.2.0.0/16 (since 0.100 s)',
    ],
    [
      'a block larger than its parent',
      { cidr: '10.1.0.0/23', parent: '10.1.0.0/24' },
      '10.1.0.0/23 of sim-1 on net is outside its parent 10.1.0.0/24 (since 0.100 s)',
    ],
    [
      'a block of another family',
      { cidr: 'fd00::/64' },
      'fd00::/64 of sim-1 on net is outside 10.0.0.0/8 (since 0.100 s)',
    ],
    [
      'a block of an excluded range',
      { cidr: '10.9.1.0/24' },
      '10.9.1.0/24 of sim-1 on net lies in the excluded range 10.9.0.0/16 (since 0.100 s)',
    ],
    [
      'what is no CIDR',
      { cidr: '10.1.0.0' },
      '10.1.0.0 of sim-1 on net is not a CIDR (since 0.100 s)',
    ],
  ];
  for (const [title, row, message] of rowsOf)
    it(`${message === undefined ? 'accepts' : 'catches'} ${title}`, () => {
      expect(messagesOf(withBlock(row))).to.deep.equal(message === undefined ? [] : [message]);
    });

  it('accepts a block of any of several subnets, and none between them', () => {
    const networks = [{ name: 'net', subnets: ['10.0.0.0/16', '10.2.0.0/16'] }];
    const given = (cidr: string): HistoryBuilder =>
      rows(tables({ networks }), { a: { node: 'sim-1', cidr } });
    expect(messagesOf(given('10.0.5.0/24'))).to.be.empty;
    expect(messagesOf(given('10.2.5.0/24'))).to.be.empty;
    expect(messagesOf(given('10.1.5.0/24'))[0]).to.contain(
      'is outside 10.0.0.0/16 and 10.2.0.0/16',
    );
  });

  it('catches a block of a network that the scenario does not have', () => {
    const history = tables().object(
      'tables',
      { name: 'other' },
      { fields: { network: 'other' }, rows: { a: { node: 'sim-1', cidr: '10.1.0.0/24' } } },
    );
    expect(messagesOf(history)[0]).to.contain(
      'belongs to a network that the scenario does not have',
    );
  });

  it('catches a block that was wrong only for a moment', () => {
    expect(messagesOf(twoNodes().at(300).serve(1, '10.99.0.0/24').serve(1))).to.have.length(1);
  });
});
