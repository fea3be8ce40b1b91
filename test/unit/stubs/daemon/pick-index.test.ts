import { expect } from 'chai';
import { parseBlock, type IndexRange } from '../../../../src/stubs/daemon/ipv4-block.ts';
import { pickIndex } from '../../../../src/stubs/daemon/pick-index.ts';

const used = (...indexes: readonly number[]): readonly IndexRange[] =>
  indexes.map((index) => ({ first: index, last: index }));
const upTo = (last: number, ...without: readonly number[]): readonly IndexRange[] =>
  used(...Array.from({ length: last }, (_, i) => i + 1).filter((i) => !without.includes(i)));

/** Everything that a pool gives out until it is full. */
function drain(cidr: string, excluded: readonly IndexRange[] = [], offset = 1): readonly number[] {
  const given: number[] = [];
  for (;;) {
    const index = pickIndex(parseBlock(cidr), [...excluded, ...used(...given)], offset);
    if (index === undefined) return given;
    given.push(index);
  }
}

describe('a pool', () => {
  for (const [prefix, usable] of [
    [24, 253],
    [25, 125],
    [26, 61],
    [27, 29],
    [28, 13],
    [29, 5],
    [30, 1],
    [31, 0],
    [32, 0],
  ] as const)
    it(`of a /${prefix} gives out ${usable} addresses, each once, never the first nor the top two`, () => {
      const given = drain(`192.168.0.0/${prefix}`);
      expect(given).to.deep.equal(Array.from({ length: usable }, (_, i) => i + 1));
    });

  const pick = (rows: readonly IndexRange[], offset = 1) =>
    pickIndex(parseBlock('192.168.0.0/28'), rows, offset);

  for (const [title, rows, offset, index] of [
    ['begins with 1', [], 1, 1],
    ['goes on above the highest, not into a gap', used(1, 2, 7), 1, 8],
    ['returns to the lowest gap at the top', used(1, 2, 4, 13), 1, 3],
    ['finds the gap whatever the order of the rows', used(13, 4, 1, 2), 1, 3],
    ['has one address left', upTo(13, 9), 1, 9],
    ['is full', upTo(13), 1, undefined],
    ['steps over addresses for a pod that comes back', used(1, 2), 3, 5],
    ['begins at the offset when it is empty', [], 2, 2],
    ['returns to the gap when the step leads over the top', used(12), 2, 1],
    ['returns to a gap when a row is above the top', used(1, 200), 1, 2],
  ] as const)
    it(title, () => {
      expect(pick(rows, offset)).to.equal(index);
    });

  it('counts excluded addresses as used', () => {
    expect(pick([{ first: 0, last: 3 }])).to.equal(4);
    expect(pick([{ first: 8, last: 15 }])).to.equal(1);
    expect(pick([{ first: 8, last: 15 }, ...upTo(7, 5)])).to.equal(5);
    expect(pick([{ first: 0, last: 15 }])).to.equal(undefined);
  });

  it('gives out what is left between two excluded parts', () => {
    const excluded = [
      { first: 0, last: 3 },
      { first: 7, last: 9 },
    ];
    expect(drain('192.168.0.0/28', excluded)).to.deep.equal([10, 11, 12, 13, 4, 5, 6]);
  });

  it('of any size is searched at once', () => {
    expect(pickIndex(parseBlock('10.0.0.0/8'), [{ first: 2, last: 2 ** 24 - 1 }], 1)).to.equal(1);
  });
});
