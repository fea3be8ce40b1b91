import { formatDuration } from '../base/duration.ts';
import { count, some } from '../base/text.ts';
import type {
  AllocationReport,
  RunReport,
  StepReport,
  ThresholdReport,
} from '../model/run-report.ts';
import {
  duration,
  printable,
  regressionTexts,
  stallText,
  subject,
  table,
  throttledLines,
  VERDICT_WORDS,
} from './format.ts';

const INVALID_HINT =
  'the machine was too busy to be watched well: run again with nothing else on it (docs/errors.md, When a run is INVALID)';

/** Where the rest can be read: the directory of the reports, or the recording when it was only judged again. */
export type SummaryPlace = { readonly report: string } | { readonly judged: string };

/** The summary that ends a run: fits a screen. Without a place where nothing could be written. */
export function terminalSummary(
  report: RunReport,
  place: SummaryPlace | undefined,
): readonly string[] {
  const { scenario, run } = report;
  return [
    '',
    `${scenario.name}: ${VERDICT_WORDS[report.verdict]} after ${formatDuration(run.durationMs)}`,
    subject(report),
    '',
    ...stepTable(report.steps),
    ...disturbanceLines(report),
    '',
    checksLine(report),
    ...selfAuditLine(report),
    ...throttledLines(report.usage),
    ...report.reasons.slice(0, 8).map((reason) => `  ✗ ${reason}`),
    ...(report.reasons.length > 8
      ? [`  … and ${report.reasons.length - 8} more${whereMore(place)}`]
      : []),
    ...(report.verdict === 'invalid' ? [INVALID_HINT] : []),
    ...placeLine(place),
  ].map(printable);
}

function whereMore(place: SummaryPlace | undefined): string {
  if (!place) return '';
  return 'report' in place ? ' in report.json' : ' with --json';
}

function placeLine(place: SummaryPlace | undefined): readonly string[] {
  if (!place) return [];
  return ['report' in place ? `report: ${place.report}` : `judged: ${place.judged}`];
}

/** One column for each milestone: the time until the last of the step's nodes held it. */
function stepTable(steps: readonly StepReport[]): readonly string[] {
  const milestones = [...new Set(steps.flatMap((step) => Object.keys(step.milestones)))];
  const header = ['step', 'nodes', 'status', 'converged', ...milestones, 'requests'];
  const rows = steps.map((step) => [
    step.name,
    String(step.nodes),
    step.status,
    duration(step.convergedMs),
    ...milestones.map((name) => duration(step.milestones[name]?.allMs ?? null)),
    step.api ? step.api.requests.toLocaleString('en-US') : '–',
  ]);
  const notes = steps.flatMap((step) => [
    ...step.allocations.map((row) => `${step.name}: ${allocationText(row)}`),
    ...fallenCounters(step),
    ...Object.entries(step.milestones).flatMap(([name, { missing }]) =>
      missing.length > 0 ? [`${step.name}: no ${name} for ${some(missing)}`] : [],
    ),
  ]);
  return [...table([header, ...rows]), ...notes];
}

function fallenCounters(step: StepReport): readonly string[] {
  const falls = regressionTexts(step);
  return falls.length === 0 ? [] : [`${step.name}: fell back: ${some(falls, 3)}`];
}

function allocationText(row: AllocationReport): string {
  const { verb, requests, addresses, partial, empty, failed, retries, p50Ms, p99Ms } = row;
  const counts = [
    `${count(addresses, 'address', 'addresses')} ${verb === 'allocate' ? 'given' : 'taken back'} in ${count(requests, 'request')}`,
    partial > 0 ? `${partial} partial` : undefined,
    empty > 0 ? `${empty} with none` : undefined,
    failed > 0 ? `${failed} failed` : undefined,
    retries > 0 ? `${retries} retries` : undefined,
    `p50 ${duration(p50Ms)}, p99 ${duration(p99Ms)}`,
  ];
  return counts.filter((part) => part !== undefined).join(', ');
}

/** A summary must fit a screen: the last ones are in the report. */
const MOST_LINES = 8;

function disturbanceLines({ disturbances }: RunReport): readonly string[] {
  const lines = disturbances.map(({ what, nodes, endMs, recoveryMs, stalls }) => {
    const where = nodes === null ? '' : ` on ${nodes}`;
    const stalled = stalls.length === 0 ? '' : `, without progress: ${stallText(stalls)}`;
    const after =
      endMs === null
        ? 'never ended'
        : recoveryMs === null
          ? 'never whole again'
          : `whole again ${duration(recoveryMs)} after its end`;
    return `${what}${where}: ${after}${stalled}`;
  });
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `… and ${more} more in report.json`] : lines;
}

function checksLine({ invariants, thresholds, verdict }: RunReport): string {
  const held = invariants.filter(({ status }) => status === 'held').length;
  const broken = invariants.filter(({ status }) => status === 'broken').length;
  const other = invariants.length - held - broken;
  const isCutShort = verdict === 'error' || verdict === 'interrupted';
  const limits = isCutShort ? 'thresholds not judged' : thresholdCounts(thresholds);
  return `invariants: ${held} held, ${broken} broken, ${other} not applicable; ${limits}`;
}

/** A threshold is checked in each step that it covers, and holds when all of its checks do. */
function thresholdCounts(checks: readonly ThresholdReport[]): string {
  const all = new Set(checks.map(({ expr }) => expr));
  if (all.size === 0) return 'no thresholds';
  const failed = checks.filter(({ status }) => status === 'broken');
  const broken = new Set(failed.map(({ expr }) => expr));
  if (broken.size === 0)
    return `${count(all.size, 'threshold')} held (${count(checks.length, 'check')})`;
  return `${broken.size} of ${count(all.size, 'threshold')} broken (${failed.length} of ${count(checks.length, 'check')})`;
}

function selfAuditLine({ selfAudit }: RunReport): readonly string[] {
  const { observationMs, cpuShare } = selfAudit;
  if (!observationMs) return [];
  const share =
    cpuShare === null ? '' : `, sim used ${(100 * cpuShare).toFixed(0)} % of the CPU time`;
  const nudged =
    selfAudit.nudgedPods === 0 ? '' : `; kwok had overlooked ${count(selfAudit.nudgedPods, 'pod')}`;
  return [
    `self-audit: ${selfAudit.valid ? 'valid' : 'INVALID'}; events seen after ` +
      `${formatDuration(observationMs.p50)} (p50) and ${formatDuration(observationMs.p99)} (p99)${share}${nudged}`,
  ];
}
