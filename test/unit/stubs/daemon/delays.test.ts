import { expect } from 'chai';
import { delays } from '../../../../src/stubs/daemon/delays.ts';

type Spread = Parameters<typeof delays>[0]['spread'];

const many = (spread: Spread, { seed = 7, name = 'sim-1', count = 5000 } = {}) => {
  const next = delays({ kind: 'latency', delayMs: 100, spread, seed }, name);
  return Array.from({ length: count }, () => next());
};
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the delays of a slow daemon', () => {
  it('are all the same when they are fixed', () => {
    expect(new Set(many('fixed'))).to.deep.equal(new Set([100]));
  });

  it('lie evenly between nothing and twice as much', () => {
    const values = many('uniform');
    expect(meanOf(values)).to.be.within(95, 105);
    expect(Math.min(...values)).to.be.within(0, 2);
    expect(Math.max(...values)).to.be.within(198, 200);
    expect(values.filter((ms) => ms < 50).length / values.length).to.be.within(0.22, 0.28);
  });

  it('are exponential about the mean, with an end', () => {
    const values = many('exponential', { count: 100_000 });
    expect(meanOf(values)).to.be.within(98, 102);
    expect(values.filter((ms) => ms > 100).length / values.length).to.be.within(0.35, 0.39);
    expect(Math.max(...values)).to.be.within(800, 1000);
  });

  it('are the same for the same seed and daemon, and others for others', () => {
    const few = (seed: number, name: string) => many('uniform', { seed, name, count: 5 });
    expect(few(1, 'sim-1')).to.deep.equal(few(1, 'sim-1'));
    expect(few(1, 'sim-1')).not.to.deep.equal(few(2, 'sim-1'));
    expect(few(1, 'sim-1')).not.to.deep.equal(few(1, 'sim-2'));
  });
});
