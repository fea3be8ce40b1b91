import { verdictOf, type Finding } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { seconds } from './lifetimes.ts';

/** Row 0: what the judge relies on. When it breaks, the run is invalid; nothing is said against the operator. */
export const historyComplete: Invariant = {
  code: 'INV000',
  title:
    'The recording is complete: no gap, every begun action ended, the final list equals the folded state',
  why: 'A check on a recording with holes proves nothing.',
  when: 'end',
  needs: 'a recording that reached its end',
  check(run) {
    if (run.end?.reason !== 'completed')
      return {
        status: 'not-applicable',
        reason: `the run was not completed (${run.end?.reason ?? 'no end'})`,
      };
    const gaps = run.gaps.map(({ resource, reason, fromMs, toMs }): Finding => ({
      message: `the watch of ${resource} was lost from ${seconds(fromMs)} to ${seconds(toMs)}: ${reason}`,
      atMs: fromMs,
      objects: [resource],
    }));
    const holes = run.holes.map(({ fromSeq, toSeq, atMs }): Finding => ({
      message:
        (fromSeq === toSeq ? `entry ${fromSeq} is` : `entries ${fromSeq} to ${toSeq} are`) +
        ' missing from the recording',
      atMs,
      objects: [],
    }));
    const unended = run.actions.unended.map((action): Finding => ({
      message: `action ${action} was begun and never ended`,
      atMs: run.lastMs,
      objects: [],
    }));
    const differences = run.snapshots.differences.map((message): Finding => ({
      message,
      atMs: run.lastMs,
      objects: [message.split(' ')[0] ?? ''],
    }));
    return verdictOf(
      run.snapshots.compared + run.actions.begun,
      [...gaps, ...holes, ...unended, ...differences],
      'no final list was taken and no action begun',
    );
  },
};
