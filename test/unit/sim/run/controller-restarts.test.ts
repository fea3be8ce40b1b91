import { expect } from 'chai';
import type { OwnProcess } from '../../../../src/sim/controllers/controller.ts';
import { realClock } from '../../../../src/sim/host/real-clock.ts';
import type { ProcessIdentity } from '../../../../src/sim/host/processes.ts';
import { ControllerRestarts } from '../../../../src/sim/run/controller-restarts.ts';
import { aLittleLater, eventually } from '../../../helpers/eventually.ts';
import { ScriptedClock } from '../../../helpers/scripted-clock.ts';

const process = (pid: number): ProcessIdentity => ({
  pid,
  startTicks: 1,
  bootId: 'boot',
  command: 'controller',
});

describe('the restarts of a controller that exits by itself', () => {
  let clock: ScriptedClock;
  let seen: string[];
  let ageMs: number;
  beforeEach(() => {
    clock = new ScriptedClock();
    seen = [];
    ageMs = 0;
  });

  const restartsOn = (used: typeof realClock): ControllerRestarts =>
    new ControllerRestarts({
      clock: used,
      record: ({ event, pid }) => seen.push(`${event} ${pid ?? 0}`),
      say: () => undefined,
      halt: (why) => seen.push(why),
    });

  const ownWith = (startAgain: OwnProcess['startAgain']): OwnProcess => ({
    startAgain,
    lastExit: () => undefined,
    ageMs: () => ageMs,
    throttling: () => Promise.resolve(undefined),
  });

  const starting = ownWith(({ pid }) => Promise.resolve(process(pid + 1)));

  /** One exit after the other, until each was followed by a start. */
  async function exits(restarts: ControllerRestarts, ages: readonly number[]): Promise<void> {
    for (const [i, age] of ages.entries()) {
      ageMs = age;
      restarts.after(process(100 + i), starting);
      await eventually('the start', () => seen.length === i + 1);
    }
  }

  it('come later and later, and sooner again after a sound minute', async () => {
    await exits(restartsOn(clock), [5, 5, 5, 60_000, 5]);
    expect(clock.sleeps).to.deep.equal([1000, 2000, 4000, 1000, 2000]);
    expect(seen).to.deep.equal([101, 102, 103, 104, 105].map((pid) => `started ${pid}`));
  });

  it('are no news where a step was quicker', async () => {
    const restarts = restartsOn(clock);
    restarts.after(
      process(1),
      ownWith(() => Promise.resolve(undefined)),
    );
    await restarts.stop();
    expect(seen).to.deep.equal([]);
  });

  it('end the steps when it cannot be started', async () => {
    const gone = ownWith(() => Promise.reject(new Error('it is gone')));
    restartsOn(clock).after(process(1), gone);
    const [why] = await eventually('the end of the steps', () => seen.length > 0 && seen);
    expect(why).to.equal('the controller exited unasked and cannot be started again: it is gone');
  });

  it('do not happen any more once they are stopped, whether waited for or not', async () => {
    const restarts = restartsOn(realClock);
    restarts.after(process(1), starting);
    await restarts.stop();
    restarts.after(process(2), starting);
    await aLittleLater();
    expect(seen).to.deep.equal([]);
  });
});
