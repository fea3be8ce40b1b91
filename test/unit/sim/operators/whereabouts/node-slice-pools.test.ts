import { expect } from 'chai';
import type { JsonObject } from '../../../../../src/sim/base/json.ts';
import { HistoryBuilder } from '../../../../helpers/history-builder.ts';
import {
  nodeSlicePool,
  projectPool,
  whereaboutsModel,
  whereaboutsScenario,
} from '../../../../helpers/whereabouts-objects.ts';

const NAME = { name: 'macvlan', namespace: 'whereabouts' };

/** A recording in which the pool goes through these states: the node of each slice in order. */
function recorded(...states: readonly (readonly string[])[]): HistoryBuilder {
  const history = HistoryBuilder.of(whereaboutsScenario());
  for (const nodeNames of states)
    history.object('nodeslicepools', NAME, projectPool(nodeSlicePool(...nodeNames)));
  return history;
}

const blocksOf = (history: HistoryBuilder): readonly string[] =>
  history
    .result()
    .ledger.facts('block')
    .map(({ fact, to }) => `${fact.node} ${fact.cidr}${to ? ' until then' : ''}`);

describe('a NodeSlicePool', () => {
  it('is kept as its range and a row for every slice, free or not', () => {
    expect(projectPool(nodeSlicePool('sim-1', ''))).to.deep.equal({
      fields: { range: '10.128.0.0/22', sliceSize: '/24' },
      rows: {
        '10.128.0.0/24': { sliceRange: '10.128.0.0/24', nodeName: 'sim-1' },
        '10.128.1.0/24': { sliceRange: '10.128.1.0/24', nodeName: '' },
      },
    });
  });

  it('may be without a status, or without a slice', () => {
    const { status: _, ...bare } = nodeSlicePool();
    expect(projectPool(bare).rows).to.deep.equal({});
    expect(projectPool({ ...bare, status: { allocations: null } }).rows).to.deep.equal({});
  });

  it('is not kept when it has another shape: that must not look like a pool without slices', () => {
    const shapes: readonly JsonObject[] = [
      { spec: { range: '10.128.0.0/22' } },
      { ...nodeSlicePool(), status: { allocations: [{ sliceRange: '10.128.0.0/24' }] } },
      { ...nodeSlicePool(), status: { allocations: {} } },
    ];
    for (const shape of shapes) expect(() => projectPool(shape)).to.throw();
  });

  it('gives a block to each node that it names, inside its range, and none for a free slice', () => {
    const [life, ...others] = recorded(['', 'sim-2']).result().ledger.facts('block');
    expect(others).to.deep.equal([]);
    expect(life?.object).to.equal('nodeslicepools/whereabouts/macvlan');
    expect(life?.fact).to.deep.equal({
      kind: 'block',
      network: 'macvlan',
      node: 'sim-2',
      interface: '',
      cidr: '10.128.1.0/24',
      parent: '10.128.0.0/22',
    });
  });

  it('takes a block back when the slice is free again, or is another node’s', () => {
    const history = recorded(['sim-1', 'sim-2'], ['sim-1', ''], ['sim-3', '']);
    expect(blocksOf(history)).to.deep.equal([
      'sim-1 10.128.0.0/24 until then',
      'sim-2 10.128.1.0/24 until then',
      'sim-3 10.128.0.0/24',
    ]);
  });

  it('takes all blocks back when it is deleted', () => {
    const history = recorded(['sim-1', 'sim-2']).remove('nodeslicepools', NAME);
    expect(blocksOf(history).every((block) => block.endsWith('until then'))).to.be.true;
  });

  it('is recorded by what changes alone', () => {
    const lines = recorded(['sim-1', '', ''], ['sim-1', 'sim-2', '']).toLines();
    expect(JSON.parse(lines.at(-1) ?? '')).to.deep.include({
      set: { '10.128.1.0/24': { sliceRange: '10.128.1.0/24', nodeName: 'sim-2' } },
    });
    expect(JSON.parse(lines.at(-1) ?? '')).not.to.have.any.keys('fields', 'unset');
  });

  it('shows both nodes of a slice that it lists twice', () => {
    const raw = nodeSlicePool('sim-1');
    const twice = { nodeName: 'sim-2', sliceRange: '10.128.0.0/24' };
    const status = raw['status'] as { readonly allocations: readonly JsonObject[] };
    const projection = projectPool({
      ...raw,
      status: { allocations: [...status.allocations, twice, twice] },
    });
    expect(Object.keys(projection.rows ?? {})).to.deep.equal([
      '10.128.0.0/24',
      '10.128.0.0/24 2',
      '10.128.0.0/24 3',
    ]);
    const history = HistoryBuilder.of(whereaboutsScenario());
    expect(blocksOf(history.object('nodeslicepools', NAME, projection))).to.deep.equal([
      'sim-1 10.128.0.0/24',
      'sim-2 10.128.0.0/24',
      'sim-2 10.128.0.0/24',
    ]);
  });

  it('must not be written at rest at all', () => {
    expect(whereaboutsModel().resources[0]?.unrest).to.equal('any-write');
  });
});
