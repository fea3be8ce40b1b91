import { expect } from 'chai';
import { Loop } from '../../../../src/stubs/controller/loop.ts';
import { aLittleLater, eventually } from '../../../helpers/eventually.ts';
import { ScriptedClock } from '../../../helpers/scripted-clock.ts';

describe('a loop', () => {
  let clock: ScriptedClock;
  let stop: AbortController;
  let said: string[];
  let passes: number;
  let running: Promise<void>;
  beforeEach(() => {
    clock = new ScriptedClock();
    stop = new AbortController();
    said = [];
    passes = 0;
  });
  afterEach(async () => {
    stop.abort();
    await running;
  });

  const run = (pass: () => Promise<void> = () => Promise.resolve()): Loop => {
    const loop = new Loop({
      clock,
      collectMs: 25,
      retryMs: 1000,
      pass: () => {
        passes += 1;
        return pass();
      },
      log: (line) => said.push(line),
    });
    running = loop.run(stop.signal);
    return loop;
  };
  const until = (count: number) => eventually(`${count} passes`, () => passes === count);

  it('makes a pass at its start, and none afterwards unless it is woken', async () => {
    const loop = run();
    await until(1);
    await aLittleLater();
    expect(passes).to.equal(1);
    loop.wake();
    await until(2);
    expect(clock.sleeps).to.deep.equal([25, 25]);
  });

  it('makes one pass of all that woke it before it began', async () => {
    const loop = run();
    for (let times = 0; times < 5; times++) loop.wake();
    await until(1);
    await aLittleLater();
    expect(passes).to.equal(1);
  });

  it('makes another pass, and one only, when it is woken during one', async () => {
    const ends: (() => void)[] = [];
    const loop = run(() => new Promise((resolve) => ends.push(resolve)));
    await until(1);
    for (let times = 0; times < 5; times++) loop.wake();
    await aLittleLater();
    expect(passes).to.equal(1);
    ends[0]?.();
    await until(2);
    ends[1]?.();
    await aLittleLater();
    expect(passes).to.equal(2);
  });

  it('says why a pass failed, and repeats it after a pause until one succeeds', async () => {
    run(() => (passes < 3 ? Promise.reject(new Error(`failure ${passes}`)) : Promise.resolve()));
    await until(3);
    await aLittleLater();
    expect(passes).to.equal(3);
    expect(said).to.deep.equal(['failure 1', 'failure 2']);
    expect(clock.sleeps).to.deep.equal([25, 1000, 25, 1000, 25]);
  });

  it('ends when it is stopped while nothing is to be done', async () => {
    run();
    await until(1);
    stop.abort();
    await running;
    expect(passes).to.equal(1);
  });

  it('ends when it is stopped while it collects, without a pass', async () => {
    stop.abort();
    run();
    await running;
    expect(passes).to.equal(0);
  });

  it('waits for the pass under way when it is stopped, and says nothing of its end', async () => {
    let fail: (error: Error) => void = () => undefined;
    run(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    await until(1);
    let isOver = false;
    void running.then(() => (isOver = true));
    stop.abort();
    await aLittleLater();
    expect(isOver).to.equal(false);
    fail(new Error('broken off'));
    await running;
    expect(said).to.deep.equal([]);
  });
});
