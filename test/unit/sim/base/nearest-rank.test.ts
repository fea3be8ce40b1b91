import { expect } from 'chai';
import { ascending, nearestRank } from '../../../../src/sim/base/nearest-rank.ts';

describe('nearestRank', () => {
  const five = [15, 20, 35, 40, 50];
  // The textbook example of the method.
  const rows: readonly (readonly [number, number])[] = [
    [5, 15],
    [20, 15],
    [21, 20],
    [30, 20],
    [40, 20],
    [50, 35],
    [99, 50],
    [100, 50],
  ];
  for (const [p, value] of rows)
    it(`gives ${value} as p${p} of 15, 20, 35, 40, 50`, () => {
      expect(nearestRank(five, p)).to.equal(value);
    });

  it('gives the second largest of 100 as p99, and the largest of 101', () => {
    const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
    expect(nearestRank(upTo(100), 99)).to.equal(99);
    expect(nearestRank(upTo(101), 99)).to.equal(100);
  });

  it('gives the one value there is for every percentile', () => {
    expect([1, 50, 99].map((p) => nearestRank([7], p))).to.deep.equal([7, 7, 7]);
  });

  it('knows nothing of an empty sample', () => {
    expect(nearestRank([], 50)).to.be.undefined;
  });
});

describe('ascending', () => {
  it('sorts by value and not by text, and leaves the given list alone', () => {
    const given = [10, 9, 100, 1];
    expect(ascending(given)).to.deep.equal([1, 9, 10, 100]);
    expect(given).to.deep.equal([10, 9, 100, 1]);
  });
});
