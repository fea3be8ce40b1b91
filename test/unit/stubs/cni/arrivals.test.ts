import { expect } from 'chai';
import { realClock } from '../../../../src/sim/host/real-clock.ts';
import { dueTimes, inArrivalOrder } from '../../../../src/stubs/cni/arrivals.ts';
import type { CniPlan } from '../../../../src/stubs/cni/contract.ts';
import { aLittleLater, eventually } from '../../../helpers/eventually.ts';
import { ScriptedClock } from '../../../helpers/scripted-clock.ts';

const NEVER = new AbortController().signal;
const pending = (): Promise<void> => new Promise(() => undefined);

/** Work that lasts until the test ends it. */
class Work {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();
  readonly do = (name: string): Promise<void> => {
    this.begun.push(name);
    return new Promise((resolve) => this.#ends.set(name, resolve));
  };

  end(name: string): void {
    this.#ends.get(name)?.();
    this.#ends.delete(name);
  }

  get inProgress(): number {
    return this.#ends.size;
  }
}

describe('the times of arrivals', () => {
  it('are evenly spaced when constant', () => {
    expect(dueTimes(4, { kind: 'constant', perSecond: 20 }, 1)).to.deep.equal([0, 50, 100, 150]);
    expect(dueTimes(0, { kind: 'constant', perSecond: 20 }, 1)).to.deep.equal([]);
  });

  it('are the same for the same seed, and others for another', () => {
    const arrival = { kind: 'poisson', perSecond: 20 } as const;
    const times = dueTimes(50, arrival, 7);
    expect(dueTimes(50, arrival, 7)).to.deep.equal(times);
    expect(dueTimes(50, arrival, 8).slice(1)).to.not.have.any.members(times.slice(1));
  });

  it('begin at once and never go back', () => {
    const times = dueTimes(1000, { kind: 'poisson', perSecond: 20 }, 3);
    expect(times[0]).to.equal(0);
    expect(times.toSorted((a, b) => a - b)).to.deep.equal(times);
  });

  it('have the gaps of a Poisson process', () => {
    const times = dueTimes(10_001, { kind: 'poisson', perSecond: 20 }, 5);
    const gaps = times.slice(1).map((time, i) => time - times[i]!);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    expect(mean).to.be.closeTo(50, 2); // four standard errors of 50 / √10,000
    const longer = gaps.filter((gap) => gap > 50).length / gaps.length;
    expect(longer).to.be.closeTo(Math.exp(-1), 0.02);
  });
});

describe('work in the order of arrival', () => {
  const NAMES = ['a', 'b', 'c', 'd', 'e'];
  const atOnce = (concurrency: number): Pick<CniPlan, 'arrival' | 'seed'> => ({
    arrival: { kind: 'at-once', concurrency },
    seed: 1,
  });
  const constant = (perSecond: number): Pick<CniPlan, 'arrival' | 'seed'> => ({
    arrival: { kind: 'constant', perSecond },
    seed: 1,
  });

  it('is as much at a time as is allowed when all come at once', async () => {
    const work = new Work();
    const all = inArrivalOrder(NAMES, atOnce(2), realClock, NEVER, work.do);
    await aLittleLater(10);
    expect(work.begun).to.deep.equal(['a', 'b']);
    work.end('b');
    await eventually('the next', () => work.begun.length === 3);
    expect(work.inProgress).to.equal(2);
    for (const name of NAMES) {
      await eventually(name, () => work.begun.includes(name));
      work.end(name);
    }
    await all;
    expect(work.begun).to.deep.equal(NAMES);
  });

  it('is due at the beginning for everybody who comes at once', async () => {
    const clock = new ScriptedClock();
    const due: number[] = [];
    await inArrivalOrder(NAMES, atOnce(1), clock, NEVER, async (_, dueMs) => {
      due.push(dueMs);
      await clock.sleep(100);
    });
    expect(due).to.deep.equal([1000, 1000, 1000, 1000, 1000]);
  });

  it('is begun when it is due, with a rate', async () => {
    const clock = new ScriptedClock();
    const seen: { name: string; dueMs: number; nowMs: number }[] = [];
    await inArrivalOrder(['a', 'b', 'c'], constant(10), clock, NEVER, (name, dueMs) => {
      seen.push({ name, dueMs, nowMs: clock.now() });
      return Promise.resolve();
    });
    expect(seen).to.deep.equal([
      { name: 'a', dueMs: 1000, nowMs: 1000 },
      { name: 'b', dueMs: 1100, nowMs: 1100 },
      { name: 'c', dueMs: 1200, nowMs: 1200 },
    ]);
  });

  it('is not held up by one that never ends, with a rate', async () => {
    const stop = new AbortController();
    const begun: string[] = [];
    void inArrivalOrder(NAMES, constant(500), realClock, stop.signal, (name) => {
      begun.push(name);
      return pending();
    });
    await eventually('all of them', () => begun.length === NAMES.length);
  });

  it('that is late is begun without a rest, and keeps the time when it was due', async () => {
    const clock = new ScriptedClock();
    const due: number[] = [];
    await inArrivalOrder(NAMES, constant(1000), clock, NEVER, (name, dueMs) => {
      if (name === 'a') clock.pass(3.5); // the machine was busy
      due.push(dueMs);
      return Promise.resolve();
    });
    expect(clock.sleeps).to.deep.equal([0.5]);
    expect(due).to.deep.equal([1000, 1001, 1002, 1003, 1004]);
  });

  it('resolves only when what was begun is done', async () => {
    const work = new Work();
    let isOver = false;
    const all = inArrivalOrder(['a', 'b'], constant(1000), realClock, NEVER, work.do).then(() => {
      isOver = true;
    });
    await eventually('both', () => work.inProgress === 2);
    work.end('b');
    await aLittleLater(10);
    expect(isOver).to.equal(false);
    work.end('a');
    await all;
  });

  for (const [title, plan] of [
    ['all at once', atOnce(2)],
    ['a rate', constant(20)],
  ] as const)
    it(`begins no more once it is stopped, with ${title}`, async () => {
      const stop = new AbortController();
      const work = new Work();
      const all = inArrivalOrder(NAMES, plan, realClock, stop.signal, work.do);
      await eventually('the first', () => work.begun.length > 0);
      stop.abort();
      const { begun } = work;
      const before = [...begun];
      for (const name of before) work.end(name);
      await all;
      expect(begun).to.deep.equal(before);
      expect(before.length).to.be.lessThan(NAMES.length);
    });

  it('begins nothing when it was stopped before', async () => {
    for (const plan of [atOnce(2), constant(20)]) {
      const work = new Work();
      await inArrivalOrder(NAMES, plan, realClock, AbortSignal.abort(), work.do);
      expect(work.begun).to.deep.equal([]);
    }
  });
});
