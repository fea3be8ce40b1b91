import { expect } from 'chai';
import { runMs } from '../../../../src/sim/base/units.ts';
import { thinned } from '../../../../src/sim/ledger/curve.ts';
import type { CounterPoint } from '../../../../src/sim/model/recorded-run.ts';

const curveOf = (values: readonly number[]): readonly CounterPoint[] =>
  values.map((value, i) => [runMs(i), value]);
const rising = (length: number): number[] => Array.from({ length }, (_, i) => i);

describe('a thinned curve', () => {
  it('is the same where it is short', () => {
    const curve = curveOf(rising(200));
    expect(thinned(curve)).to.equal(curve);
    expect(thinned([])).to.be.empty;
  });

  for (const length of [201, 250, 1000, 100_003])
    it(`has at most 200 of ${length} points, in order, with both ends`, () => {
      const points = thinned(curveOf(rising(length)));
      expect(points.length).to.be.within(50, 200);
      expect(points).to.deep.equal(points.toSorted(([a], [b]) => a - b));
      expect(points[0]).to.deep.equal([0, 0]);
      expect(points.at(-1)).to.deep.equal([length - 1, length - 1]);
    });

  it('keeps every fall and every rise that stands out', () => {
    const values = rising(10_000);
    values[4321] = -5;
    values[7654] = 99_999;
    const points = thinned(curveOf(values));
    expect(points).to.deep.include([4321, -5]);
    expect(points).to.deep.include([7654, 99_999]);
  });
});
