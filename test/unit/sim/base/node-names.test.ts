import { expect } from 'chai';
import {
  formatRange,
  formatSet,
  highestOf,
  indexesOf,
  indexesOfSet,
  inRange,
  inSet,
  nodeIndex,
  nodeName,
  parseNodeSet,
  rangeSize,
  setOf,
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

describe('a set of nodes', () => {
  const read = (text: string): string | undefined => {
    const set = parseNodeSet(text);
    return set && formatSet(set);
  };

  const good: readonly (readonly [string, string])[] = [
    ['3', 'sim-3'],
    ['1-10', 'sim-1…sim-10'],
    ['1-4,7', 'sim-1…sim-4, sim-7'],
    ['7, 1-4', 'sim-1…sim-4, sim-7'],
    ['5-5', 'sim-5'],
    ['1-2,3-4', 'sim-1…sim-2, sim-3…sim-4'],
    ['999999', 'sim-999999'],
  ];
  for (const [text, written] of good)
    it(`reads ${text}`, () => {
      expect(read(text)).to.equal(written);
    });

  for (const text of [
    '',
    '0',
    '01',
    '-1',
    '4-2',
    '1-',
    '1,,2',
    '1,',
    '1-3,3',
    '3,3',
    'a',
    '1 2',
    '1.5',
    '1000000',
  ])
    it(`does not read "${text}"`, () => {
      expect(read(text)).to.be.undefined;
    });

  it('has the nodes of its ranges, and knows the highest', () => {
    const set = parseNodeSet('7,1-3') ?? [];
    expect(indexesOfSet(set)).to.deep.equal([1, 2, 3, 7]);
    expect([0, 1, 3, 4, 7, 8].filter((index) => inSet(set, index))).to.deep.equal([1, 3, 7]);
    expect(highestOf(set)).to.equal(7);
  });

  it('may be empty', () => {
    expect(formatSet([])).to.equal('no nodes');
    expect(highestOf([])).to.equal(0);
    expect(setOf([])).to.deep.equal([]);
  });

  it('is the shortest of some indexes, in whatever order and however often they are given', () => {
    expect(setOf([5, 3, 4, 9, 3, 1])).to.deep.equal([
      { from: 1, to: 1 },
      { from: 3, to: 5 },
      { from: 9, to: 9 },
    ]);
  });
});
