import type { Clock } from '../base/clock.ts';
import { formatDuration } from '../base/duration.ts';
import { hopelessThresholds } from '../judge/hopeless.ts';
import type { MetricNames } from '../model/metric.ts';
import type { Recorder } from '../observe/recorder.ts';

const LOOK_EVERY_MS = 500;

/**
 * Ends the steps when a limit with `abortOnFail` has been hopeless for its grace. Answers a function that stops
 * looking.
 */
export function watchForHopeless(
  recorder: Recorder,
  clock: Clock,
  names: MetricNames,
  halt: (why: string) => void,
): () => void {
  const graces = new Map(
    recorder.fold
      .result()
      .plan.thresholds.flatMap(({ expr, abortAfterMs }) =>
        abortAfterMs === null ? [] : [[expr, abortAfterMs] as const],
      ),
  );
  if (graces.size === 0) return () => undefined;
  const since = new Map<string, number>();
  return clock.every(LOOK_EVERY_MS, () => {
    const now = recorder.now();
    for (const { expr, step } of hopelessThresholds(recorder.fold.result(), names, now)) {
      const began = since.get(expr) ?? now;
      since.set(expr, began);
      const grace = graces.get(expr) ?? 0;
      if (now - began >= grace)
        halt(
          `${expr} cannot be kept any more in ${step}, and has not been for ${formatDuration(grace)}`,
        );
    }
  });
}
