import { expect } from 'chai';
import { roundMs } from '../../../../src/sim/base/units.ts';

describe('roundMs', () => {
  it('keeps microseconds, and nothing finer', () => {
    expect(roundMs(12.345_678)).to.equal(12.346);
    expect(roundMs(1500)).to.equal(1500);
  });
});
