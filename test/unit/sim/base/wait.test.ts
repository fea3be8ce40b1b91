import { expect } from 'chai';
import { SimError } from '../../../../src/sim/base/errors.ts';
import { pause, waitFor, within, type WaitOptions } from '../../../../src/sim/base/wait.ts';
import { realClock } from '../../../../src/sim/host/real-clock.ts';
import { ScriptedClock } from '../../../helpers/scripted-clock.ts';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('it should have failed'),
    (error: unknown) => error,
  );

/** Answers "not yet" so many times, and then with the number of the question. */
function after(times: number): () => Promise<number | undefined> {
  let asked = 0;
  return () => Promise.resolve(++asked > times ? asked : undefined);
}

describe('waitFor', () => {
  let clock: ScriptedClock;
  let options: Omit<WaitOptions<number>, 'probe'>;

  beforeEach(() => {
    clock = new ScriptedClock();
    options = { what: 'the answer', clock, timeoutMs: 1000, intervalMs: 300 };
  });

  it('does not wait when the answer is there already', async () => {
    expect(await waitFor({ ...options, probe: after(0) })).to.equal(1);
    expect(clock.sleeps).to.deep.equal([]);
  });

  it('asks again after each interval', async () => {
    expect(await waitFor({ ...options, probe: after(2) })).to.equal(3);
    expect(clock.sleeps).to.deep.equal([300, 300]);
  });

  it('asks once more when the time is over, before it gives up', async () => {
    expect(await waitFor({ ...options, probe: after(4) })).to.equal(5);
    expect(await failureOf(waitFor({ ...options, probe: after(5) }))).to.be.instanceOf(SimError);
  });

  it('gives up when the time is over to the millisecond', async () => {
    const work = waitFor({ ...options, intervalMs: 500, probe: after(99) });
    expect(await failureOf(work)).to.be.instanceOf(SimError);
    expect(clock.sleeps).to.deep.equal([500, 500]);
  });

  it('takes a false or empty answer for an answer', async () => {
    const answer = await waitFor({ ...options, probe: () => Promise.resolve(0) });
    expect(answer).to.equal(0);
  });

  it('says what it waited for, how long, and what it saw last', async () => {
    const error = await failureOf(
      waitFor({ ...options, probe: after(99), lastState: () => '3 of 5 ready' }),
    );
    expect(error).to.include({
      code: 'SIM_TIMEOUT',
      message: 'waited 1.0s for the answer; last seen: 3 of 5 ready',
    });
  });

  it('fails with the code and the details that the caller asks for', async () => {
    const error = await failureOf(
      waitFor({
        ...options,
        probe: after(99),
        code: 'SIM_CLUSTER_START',
        onTimeout: () => ({ hint: 'look at the log', details: ['line'] }),
      }),
    );
    expect(error).to.include({ code: 'SIM_CLUSTER_START', exitCode: 3, hint: 'look at the log' });
    expect(error).to.have.deep.property('details', ['line']);
  });

  it('ends with what the probe throws', async () => {
    const broken = new Error('broken');
    expect(await failureOf(waitFor({ ...options, probe: () => Promise.reject(broken) }))).to.equal(
      broken,
    );
  });

  it('ends with the reason of a signal, without asking again', async () => {
    const stop = new AbortController();
    const why = new Error('interrupted');
    let asked = 0;
    const probe = (): Promise<undefined> => {
      asked++;
      stop.abort(why);
      return Promise.resolve(undefined);
    };
    expect(await failureOf(waitFor({ ...options, signal: stop.signal, probe }))).to.equal(why);
    expect(asked).to.equal(1);
  });
});

describe('pause', () => {
  it('lets the time pass', async () => {
    const clock = new ScriptedClock();
    await pause(clock, 300, new AbortController().signal);
    expect(clock.sleeps).to.deep.equal([300]);
  });

  it('ends at the signal, which is no failure', async () => {
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await pause(new ScriptedClock(), 300, stop.signal);
    await pause(realClock, 60_000, AbortSignal.timeout(20)); // else the test would time out
  });
});

describe('within', () => {
  it('gives the answer of work that is done in time', async () => {
    expect(await within(new ScriptedClock(), 1000, 'the work', Promise.resolve(42))).to.equal(42);
  });

  it('gives the failure of work that fails in time', async () => {
    const broken = new Error('broken');
    const work = within(new ScriptedClock(), 1000, 'the work', Promise.reject(broken));
    expect(await failureOf(work)).to.equal(broken);
  });

  it('fails when the work takes too long', async () => {
    const never = new Promise<never>(() => undefined);
    const error = await failureOf(within(new ScriptedClock(), 1500, 'the work', never));
    expect(error).to.include({ code: 'SIM_TIMEOUT', message: 'the work took longer than 1.5s' });
  });
});
