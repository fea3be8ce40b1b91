import type { Clock } from '../base/clock.ts';
import type { GoalAnswer, GoalObserver } from '../model/observer.ts';
import type { Recorder } from './recorder.ts';

/** How often the state is looked at. Decides only when waiting ends: all times are those of the events. */
const LOOK_EVERY_MS = 20;

/** Answers the steps from the live fold of the recording. */
export function goalWatch(recorder: Recorder, clock: Clock): GoalObserver {
  return {
    async stepDecided(signal): Promise<GoalAnswer> {
      for (;;) {
        const state = recorder.fold.currentStep?.state(recorder.now());
        if (state?.kind === 'converged' || state?.kind === 'missed') return state.kind;
        await clock.sleep(LOOK_EVERY_MS, signal);
      }
    },
    async awaitedReached(timeoutMs, signal): Promise<boolean> {
      const deadline = clock.now() + timeoutMs;
      while (clock.now() < deadline) {
        if (recorder.fold.currentStep?.awaitedHolds() === true) return true;
        await clock.sleep(LOOK_EVERY_MS, signal);
      }
      return false;
    },
  };
}
