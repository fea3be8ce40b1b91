import type { RecordedRun, StepRecord } from '../model/recorded-run.ts';
import type { AllocationReport } from '../model/run-report.ts';
import { allocationsOf, eventTimes } from './events.ts';
import { censoredPercentile } from './statistics.ts';

const MOST_PROBLEMS = 10;

/** What became of a step's requests for addresses, a row for each verb. */
export const allocationReports = (
  step: StepRecord,
  run: RecordedRun,
): readonly AllocationReport[] =>
  (['allocate', 'deallocate'] as const).flatMap((verb) => reportOf(verb, step, run));

function reportOf(
  verb: AllocationReport['verb'],
  step: StepRecord,
  run: RecordedRun,
): readonly AllocationReport[] {
  const answers = allocationsOf(verb, step.plan.name, run);
  const [first] = answers;
  if (!first) return [];
  const { known, unfinished } = eventTimes(verb, step, run);
  const rank = (p: number): number | null => {
    const value = censoredPercentile(known, unfinished, p);
    return value ?? null;
  };
  const count = (status: (typeof answers)[number]['status']): number =>
    answers.filter((one) => one.status === status).length;
  // The first was due about when its latency began.
  const begin = Math.min(...answers.map(({ atMs, latencyMs }) => atMs - latencyMs));
  const seconds = (Math.max(...answers.map(({ atMs }) => atMs)) - begin) / 1000;
  const problems = new Set(answers.flatMap(({ problem }) => problem ?? []));
  return [
    {
      verb,
      requests: answers.length,
      complete: count('complete'),
      partial: count('partial'),
      empty: count('empty'),
      failed: count('failed'),
      retries: answers.reduce((sum, { retries }) => sum + retries, 0),
      addresses: answers.reduce((sum, { granted }) => sum + granted.length, 0),
      p50Ms: rank(50),
      p90Ms: rank(90),
      p99Ms: rank(99),
      maxMs: rank(100),
      perSecond: seconds > 0 ? answers.length / seconds : null,
      problems: [...problems].slice(0, MOST_PROBLEMS),
    },
  ];
}
