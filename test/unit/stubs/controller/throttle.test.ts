import { expect } from 'chai';
import { TokenBucket } from '../../../../src/stubs/controller/throttle.ts';
import { ScriptedClock } from '../../../helpers/scripted-clock.ts';

describe('a bucket of tokens', () => {
  let clock: ScriptedClock;
  beforeEach(() => {
    clock = new ScriptedClock();
  });

  const take = async (bucket: TokenBucket, times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await bucket.take();
  };
  const waited = (): number => clock.sleeps.reduce((sum, ms) => sum + ms, 0);

  it('never waits at a rate of 0', async () => {
    await take(new TokenBucket(clock, 0), 1000);
    expect(clock.sleeps).to.deep.equal([]);
  });

  it('lets half as many again as its rate pass at once, as client-go does with 20 and 30', async () => {
    const bucket = new TokenBucket(clock, 20);
    await take(bucket, 30);
    expect(clock.sleeps).to.deep.equal([]);
    await take(bucket, 1);
    expect(clock.sleeps).to.deep.equal([50]);
  });

  it('lets its rate pass from then on', async () => {
    const bucket = new TokenBucket(clock, 20);
    await take(bucket, 30 + 100);
    expect(waited()).to.be.closeTo(5000, 0.001);
    expect(clock.sleeps).to.have.length(100);
  });

  it('lets as many pass at once as it is told', async () => {
    const bucket = new TokenBucket(clock, 10, 1);
    await take(bucket, 3);
    expect(clock.sleeps).to.deep.equal([100, 100]);
  });

  it('gives several tokens at once, also more than it holds', async () => {
    const bucket = new TokenBucket(clock, 10, 1);
    await bucket.take(2);
    expect(clock.sleeps).to.deep.equal([100]);
    await bucket.take(2);
    expect(clock.sleeps).to.deep.equal([100, 100, 100]);
  });

  it('waits for what is missing of a token only', async () => {
    const bucket = new TokenBucket(clock, 10, 1);
    await take(bucket, 1);
    clock.pass(75);
    await take(bucket, 1);
    expect(waited()).to.be.closeTo(25, 0.001);
  });

  it('fills up while nobody asks, and no further than to the brim', async () => {
    const bucket = new TokenBucket(clock, 20);
    await take(bucket, 30);
    clock.pass(500);
    await take(bucket, 10);
    expect(clock.sleeps).to.deep.equal([]);
    clock.pass(3_600_000);
    await take(bucket, 30);
    expect(clock.sleeps).to.deep.equal([]);
    await take(bucket, 1);
    expect(clock.sleeps).to.deep.equal([50]);
  });

  it('serves those who ask at the same time one after the other, in their order', async () => {
    const bucket = new TokenBucket(clock, 10, 1);
    const served: (readonly [number, number])[] = [];
    await Promise.all(
      [1, 2, 3].map((n) => bucket.take().then(() => served.push([n, clock.now() - 1000]))),
    );
    expect(served).to.deep.equal([
      [1, 0],
      [2, 100],
      [3, 200],
    ]);
  });
});
