import { expect } from 'chai';
import { seededRandom } from '../../../../src/sim/base/seeded-random.ts';

const numbers = (seed: number, howMany = 1000): readonly number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: howMany }, () => random());
};

describe('seeded random numbers', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(numbers(7)).to.deep.equal(numbers(7));
    expect(numbers(7)).not.to.deep.equal(numbers(8));
  });

  it('stay what they were: plans made from them are part of old recordings', () => {
    expect(numbers(1, 3).map((number) => number.toFixed(6))).to.deep.equal([
      '0.627074',
      '0.002736',
      '0.527447',
    ]);
  });

  it('lie between 0 and 1, evenly spread', () => {
    const all = numbers(42, 10_000);
    expect(Math.min(...all)).to.be.at.least(0);
    expect(Math.max(...all)).to.be.below(1);
    for (let tenth = 0; tenth < 10; tenth++)
      expect(all.filter((number) => Math.floor(number * 10) === tenth).length).to.be.within(
        900,
        1100,
      );
  });
});
