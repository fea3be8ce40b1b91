import { expect } from 'chai';
import { RecentRate } from '../../../../src/sim/base/recent-rate.ts';

describe('RecentRate', () => {
  let rates: RecentRate;
  beforeEach(() => {
    rates = new RecentRate(10_000);
  });

  it('is nothing before there is something to compare with', () => {
    expect(rates.perSecond('a', 5, 1000)).to.equal(0);
    expect(rates.perSecond('a', 9, 1000)).to.equal(0);
  });

  it('is the growth over the time since the first value', () => {
    rates.perSecond('a', 5, 1000);
    rates.perSecond('a', 5, 2000);
    expect(rates.perSecond('a', 11, 4000)).to.equal(2);
  });

  it('forgets what is older than its time', () => {
    rates.perSecond('a', 0, 0);
    rates.perSecond('a', 10, 5000);
    expect(rates.perSecond('a', 10, 10_001)).to.equal(0);
  });

  it('is nothing where a value has fallen', () => {
    rates.perSecond('a', 5, 0);
    expect(rates.perSecond('a', 4, 1000)).to.equal(0);
  });

  it('keeps keys apart', () => {
    rates.perSecond('a', 0, 0);
    expect(rates.perSecond('b', 5, 1000)).to.equal(0);
  });
});
