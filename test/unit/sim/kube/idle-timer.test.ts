import { expect } from 'chai';
import { IdleTimer } from '../../../../src/sim/kube/idle-timer.ts';
import { ScriptedClock } from '../../../helpers/scripted-clock.ts';

describe('IdleTimer', () => {
  it('aborts once nothing was heard for the whole time', () => {
    const clock = new ScriptedClock();
    const { signal } = new IdleTimer(clock, 1000);
    clock.pass(999);
    expect(signal.aborted).to.be.false;
    clock.pass(1);
    expect(signal.aborted).to.be.true;
  });

  it('begins anew with every restart', () => {
    const clock = new ScriptedClock();
    const timer = new IdleTimer(clock, 1000);
    for (let i = 0; i < 5; i++) {
      clock.pass(900);
      timer.restart();
    }
    expect(timer.signal.aborted).to.be.false;
    clock.pass(1000);
    expect(timer.signal.aborted).to.be.true;
  });

  it('never aborts after it was stopped', () => {
    const clock = new ScriptedClock();
    const timer = new IdleTimer(clock, 1000);
    timer.stop();
    clock.pass(5000);
    expect(timer.signal.aborted).to.be.false;
    expect(clock.ticking).to.equal(0);
  });
});
