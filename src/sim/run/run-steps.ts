import { formatDuration } from '../base/duration.ts';
import type { PlannedStep } from '../model/plan.ts';
import { executeStep } from '../steps/execute-step.ts';
import type { RunContext } from '../steps/context.ts';
import { watchForHopeless } from './abort-watch.ts';
import type { Session } from './session.ts';

/**
 * Runs the steps in order. After one that missed its goal, or when the run was halted, the others are skipped. After
 * each that was begun, `afterStep` is waited for.
 */
export async function runSteps(
  session: Session,
  context: RunContext,
  afterStep: () => Promise<void>,
): Promise<void> {
  const { control, progress, recorder, request } = session;
  progress.follow(recorder.fold, request.plan, () => recorder.now());
  const { milestoneNames: milestones, counterNames: counters } = request.loaded.profile;
  const stopLooking = watchForHopeless(recorder, context.clock, { milestones, counters }, (why) => {
    control.halt(why);
  });
  let obstacle: string | undefined;
  for (const step of request.plan.steps) {
    obstacle ??= control.halted;
    if (obstacle !== undefined) {
      context.record({ kind: 'step', phase: 'skip', step: step.name, reason: obstacle });
      continue;
    }
    obstacle = await runStep(step, session, context);
    await afterStep();
  }
  stopLooking();
  progress.stop();
}

/** Answers why no further step may begin, if so. */
async function runStep(
  step: PlannedStep,
  { control, progress, recorder }: Session,
  context: RunContext,
): Promise<string | undefined> {
  progress.say(`${step.name}: ${step.nodesBefore} → ${step.nodesAfter} nodes`);
  try {
    const answer = await executeStep(step, context);
    const record = recorder.fold.result().steps.find(({ plan }) => plan.name === step.name);
    const took = (record?.quietSinceMs ?? 0) - (record?.zeroMs ?? 0);
    progress.say(
      answer === 'missed'
        ? `${step.name}: ${record?.reason ?? answer}`
        : step.kind === 'hold'
          ? `${step.name}: nothing was lost`
          : step.awaitsNothing === true
            ? `${step.name}: done`
            : `${step.name}: converged in ${formatDuration(Math.max(0, took))}`,
    );
    return answer === 'missed' && step.onMiss === 'stop'
      ? `${step.name} missed its goal`
      : undefined;
  } catch (error) {
    control.signal.throwIfAborted();
    if (control.halted === undefined) throw error;
    progress.say(`${step.name}: ${control.halted}`);
    return control.halted;
  }
}
