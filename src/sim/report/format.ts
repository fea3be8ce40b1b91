import { formatDuration } from '../base/duration.ts';
import { count, some } from '../base/text.ts';
import type { ControllerLimits } from '../model/controller-spec.ts';
import type { DisturbanceReport, RunReport, StepReport } from '../model/run-report.ts';
import type { RunVerdict } from '../model/verdict.ts';

/** A duration that may not be known. */
export const duration = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms));

export const VERDICT_WORDS: Readonly<Record<RunVerdict, string>> = {
  pass: 'PASS',
  fail: 'FAIL',
  invalid: 'INVALID',
  error: 'ERROR',
  interrupted: 'INTERRUPTED',
};

/** What was under test, in one line. Whoever reads a figure must see this first. */
export function subject({ controller, runtime, versions }: RunReport): string {
  const what = !controller
    ? 'no controller (the run ended before there was one)'
    : controller.reference
      ? "the reference controller that comes with sim (a stand-in, not a real operator's)"
      : controller.kind === 'cluster'
        ? "the cluster's own controller-manager"
        : (controller.command?.join(' ') ?? controller.kind);
  const preset = runtime.preset === null ? '' : ` (${runtime.preset})`;
  const kubernetes =
    versions['kubernetes'] === undefined ? '' : `, Kubernetes ${versions['kubernetes']}`;
  return `controller under test: ${what}${limitText(controller?.limits)}; ${runtime.name}${preset}${kubernetes}`;
}

/** Figures with limits are others than without: said where the controller is named. */
function limitText(limits: ControllerLimits | null | undefined): string {
  if (!limits) return '';
  const parts = Object.entries(limits).flatMap(([name, quantity]: [string, string | null]) =>
    quantity === null ? [] : [`${name} ${quantity}`],
  );
  return `, limited to ${parts.join(' and ')}`;
}

/** Of each component that had too little CPU time: `controller: throttled in 12 of 40 periods of 100 ms, for 1.2s`. */
export const throttledLines = (usage: RunReport['usage']): readonly string[] =>
  Object.entries(usage).flatMap(([component, { throttled }]) => {
    if (!throttled) return [];
    const { periods, throttledPeriods, throttledMs } = throttled;
    return [
      `${component}: throttled in ${throttledPeriods} of ${count(periods, 'period')} of 100 ms, for ${formatDuration(throttledMs)} in all`,
    ];
  });

/** What came from a cluster must not move the cursor or hide a line: one sign for each that cannot be seen. */
export const printable = (line: string): string => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');

/** A table with aligned columns; the first column to the left, the others to the right. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Each fall of a counter in a step, as `net/processed 10 → 7 at 7.5s`. */
export const regressionTexts = ({ counters }: StepReport): readonly string[] =>
  Object.entries(counters).flatMap(([network, ofNetwork]) =>
    Object.entries(ofNetwork).flatMap(([counter, { regressions }]) =>
      regressions.map(
        ({ atMs, from, to }) => `${network}/${counter} ${from} → ${to} at ${formatDuration(atMs)}`,
      ),
    ),
  );

/** `sim-3 for 12.3s, sim-4 for 12.1s, … and 2 more`; `–` where no node stalled. */
export const stallText = (stalls: DisturbanceReport['stalls']): string =>
  stalls.length === 0
    ? '–'
    : some(
        stalls.map(({ node, ms }) => `${node} for ${formatDuration(ms)}`),
        3,
      );
