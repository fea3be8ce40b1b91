import pMap from 'p-map';
import { reasonOf } from '../base/errors.ts';
import type { GoalAnswer } from '../model/observer.ts';
import type { PlannedAction, PlannedStep } from '../model/plan.ts';
import { RUN_SIDE_BY_SIDE, runAction } from './actions.ts';
import { CONCURRENCY } from './concurrency.ts';
import type { RunContext, StepContext } from './context.ts';

interface Numbered {
  readonly index: number;
  readonly action: PlannedAction;
}

/**
 * Does what a step says and waits until its goal is decided. Everything is recorded: the step's begin and end, and
 * each action's. Rejects when an action fails or the run is stopped; the step's end then says why.
 */
export async function executeStep(step: PlannedStep, run: RunContext): Promise<GoalAnswer> {
  const context: StepContext = { ...run, step: step.name };
  const { record, clock, signal } = context;
  record({ kind: 'step', phase: 'begin', step: step.name, wallMs: clock.wallMs() });
  try {
    for (const group of groupsOf(step.actions)) await runGroup(group, context);
    const answer = await context.observer.stepDecided(signal);
    record({ kind: 'step', phase: 'end', step: step.name, wallMs: clock.wallMs() });
    return answer;
  } catch (error) {
    const reason = reasonOf(signal.aborted ? signal.reason : error);
    record({ kind: 'step', phase: 'end', step: step.name, wallMs: clock.wallMs(), reason });
    throw error;
  } finally {
    await context.sync();
  }
}

/** Neighbours that may run side by side, as one group; every other action alone. */
function groupsOf(actions: readonly PlannedAction[]): readonly (readonly Numbered[])[] {
  const groups: Numbered[][] = [];
  actions.forEach((action, index) => {
    const last = groups.at(-1);
    const joins = last?.[0]?.action.kind === action.kind && RUN_SIDE_BY_SIDE.has(action.kind);
    if (last && joins) last.push({ index, action });
    else groups.push([{ index, action }]);
  });
  return groups;
}

async function runGroup(group: readonly Numbered[], context: StepContext): Promise<void> {
  const { step } = context;
  await pMap(
    group,
    async ({ index, action }) => {
      context.signal.throwIfAborted();
      context.record({ kind: 'action', phase: 'begin', step, index, action });
      try {
        await runAction(action, context);
        context.record({ kind: 'action', phase: 'end', step, index, action });
      } catch (error) {
        context.record({
          kind: 'action',
          phase: 'end',
          step,
          index,
          action,
          error: reasonOf(error),
        });
        throw error;
      }
    },
    { concurrency: CONCURRENCY, stopOnError: true },
  );
}
