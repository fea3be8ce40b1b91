import { roundMs } from '../base/units.ts';
import type { RecordedRun } from '../model/recorded-run.ts';
import type { ThrottledReport, UsageReport } from '../model/run-report.ts';

interface Sample {
  readonly atMs: number;
  readonly pid: number;
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly throttled?: ThrottledReport | undefined;
}

/** The samples of one component, in order. A restarted one goes on under its name with another pid. */
export function samplesOf(run: RecordedRun, component: string): readonly Sample[] {
  return run.usage.flatMap(({ atMs, samples }) =>
    samples.flatMap(({ component: name, ...sample }) =>
      name === component ? [{ atMs, ...sample }] : [],
    ),
  );
}

/** CPU time by component: what each of its processes used, added up. */
export function usageReport(run: RecordedRun): Readonly<Record<string, UsageReport>> {
  const names = new Set(
    run.usage.flatMap(({ samples }) => samples.map(({ component }) => component)),
  );
  return Object.fromEntries(
    [...names].map((name) => {
      const samples = samplesOf(run, name);
      const byPid = new Map<number, number>();
      for (const { pid, cpuMs } of samples) byPid.set(pid, Math.max(cpuMs, byPid.get(pid) ?? 0));
      return [
        name,
        {
          cpuMs: roundMs([...byPid.values()].reduce((sum, cpuMs) => sum + cpuMs, 0)),
          maxRssBytes: Math.max(...samples.map(({ rssBytes }) => rssBytes)),
          throttled: throttledOf(samples),
        },
      ];
    }),
  );
}

/** The group outlives the processes in it, and counts for all of them. */
function throttledOf(samples: readonly Sample[]): ThrottledReport | null {
  const last = samples.findLast(({ throttled }) => throttled !== undefined)?.throttled;
  return last ? { ...last, throttledMs: roundMs(last.throttledMs) } : null;
}

/** CPU cores used between neighbouring samples of the same process, in a stretch of the run. */
export function coresUsed(
  samples: readonly Sample[],
  fromMs: number,
  toMs: number,
): readonly number[] {
  return samples.flatMap((sample, i) => {
    const before = samples[i - 1];
    if (before?.pid !== sample.pid || sample.atMs < fromMs || before.atMs > toMs) return [];
    const elapsed = sample.atMs - before.atMs;
    return elapsed > 0 ? [(sample.cpuMs - before.cpuMs) / elapsed] : [];
  });
}

/**
 * CPU time used from the first to the last of some samples. A process that came meanwhile counts from its start.
 * Undefined with fewer than two samples: there is no time between them.
 */
export function cpuTimeMs(samples: readonly Sample[]): number | undefined {
  const [first] = samples;
  if (!first || samples.length < 2) return undefined;
  const usedMs = new Map([[first.pid, 0]]);
  for (const { pid, cpuMs } of samples)
    usedMs.set(pid, cpuMs - (pid === first.pid ? first.cpuMs : 0));
  return roundMs([...usedMs.values()].reduce((sum, ms) => sum + ms, 0));
}
