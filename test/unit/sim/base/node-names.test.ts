import { expect } from 'chai';
import {
  formatRange,
  indexesOf,
  inRange,
  nodeIndex,
  nodeName,
  rangeSize,
} from '../../../../src/sim/base/node-names.ts';

describe('node names', () => {
  it('say the index, and it can be read from them again', () => {
    expect(nodeName(17)).to.equal('sim-17');
    expect(nodeIndex(nodeName(17))).to.equal(17);
  });

  for (const name of ['sim-0', 'sim-01', 'sim-', 'sim-1x', 'my-sim-1', 'kind-control-plane'])
    it(`do not include ${name}`, () => {
      expect(nodeIndex(name)).to.be.undefined;
    });
});

describe('a range of nodes', () => {
  const range = { from: 3, to: 5 };
  const empty = { from: 1, to: 0 };

  it('includes both its ends', () => {
    expect(rangeSize(range)).to.equal(3);
    expect([...indexesOf(range)]).to.deep.equal([3, 4, 5]);
    expect([2, 3, 5, 6].map((index) => inRange(range, index))).to.deep.equal([
      false,
      true,
      true,
      false,
    ]);
  });

  it('is empty when it ends before it begins', () => {
    expect(rangeSize(empty)).to.equal(0);
    expect([...indexesOf(empty)]).to.deep.equal([]);
    expect(inRange(empty, 1)).to.be.false;
  });

  it('is written by its ends, by its only node, or as no nodes', () => {
    expect(formatRange(range)).to.equal('sim-3…sim-5');
    expect(formatRange({ from: 7, to: 7 })).to.equal('sim-7');
    expect(formatRange(empty)).to.equal('no nodes');
  });
});
