import { expect } from 'chai';
import { DeallocateHistory } from '../../../../src/stubs/daemon/deallocate-history.ts';
import { ScriptedClock } from '../../../helpers/scripted-clock.ts';

describe('the history of pods that gave addresses back', () => {
  let clock: ScriptedClock;
  let history: DeallocateHistory;
  beforeEach(() => {
    clock = new ScriptedClock();
    history = new DeallocateHistory(clock);
  });

  it('lets a pod that is not in it take the next address', () => {
    history.note('other');
    expect([history.takeOffset('pod'), history.takeOffset('pod')]).to.deep.equal([1, 1]);
  });

  it('lets a pod that comes back step over one more address each time', () => {
    history.note('pod');
    expect([history.takeOffset('pod'), history.takeOffset('pod')]).to.deep.equal([2, 3]);
    history.note('pod');
    expect(history.takeOffset('pod')).to.equal(4);
  });

  it('forgets a pod after a minute', () => {
    history.note('pod');
    clock.pass(60_000);
    expect(history.takeOffset('pod')).to.equal(2);
    clock.pass(1);
    expect(history.takeOffset('pod')).to.equal(1);
  });

  it('counts the minute from the last time', () => {
    history.note('pod');
    history.note('early');
    clock.pass(50_000);
    history.note('pod');
    clock.pass(50_000);
    expect(history.takeOffset('early')).to.equal(1);
    expect(history.takeOffset('pod')).to.equal(2);
  });
});
