import { formatDuration } from '../base/duration.ts';
import { count, some } from '../base/text.ts';
import type { RunReport, StepReport } from '../model/run-report.ts';
import { duration, printable, subject, table, VERDICT_WORDS } from './format.ts';

/** The summary that ends a run: fits a screen. */
export function terminalSummary(report: RunReport, directory: string): readonly string[] {
  const { scenario, run } = report;
  return [
    '',
    `${scenario.name}: ${VERDICT_WORDS[report.verdict]} after ${formatDuration(run.durationMs)}`,
    subject(report),
    '',
    ...stepTable(report.steps),
    '',
    checksLine(report),
    ...selfAuditLine(report),
    ...report.reasons.slice(0, 8).map((reason) => `  ✗ ${reason}`),
    ...(report.reasons.length > 8
      ? [`  … and ${report.reasons.length - 8} more in report.json`]
      : []),
    `report: ${directory}`,
  ].map(printable);
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
    ...(step.recoveryMs === null
      ? []
      : [`${step.name}: recovered in ${duration(step.recoveryMs)}`]),
    ...Object.entries(step.milestones).flatMap(([name, { missing }]) =>
      missing.length > 0 ? [`${step.name}: no ${name} for ${some(missing)}`] : [],
    ),
  ]);
  return [...table([header, ...rows]), ...notes];
}

function checksLine({ invariants, thresholds }: RunReport): string {
  const held = invariants.filter(({ status }) => status === 'held').length;
  const broken = invariants.filter(({ status }) => status === 'broken').length;
  const other = invariants.length - held - broken;
  const kept = thresholds.filter(({ status }) => status === 'held').length;
  const limits =
    thresholds.length === 0
      ? 'no thresholds'
      : `${kept} of ${count(thresholds.length, 'threshold')} held`;
  return `invariants: ${held} held, ${broken} broken, ${other} not applicable; ${limits}`;
}

function selfAuditLine({ selfAudit }: RunReport): readonly string[] {
  const { observationMs, cpuShare } = selfAudit;
  if (!observationMs) return [];
  const share =
    cpuShare === null ? '' : `, sim used ${(100 * cpuShare).toFixed(0)} % of the CPU time`;
  const nudged =
    selfAudit.nudgedPods === 0 ? '' : `; kwok had overlooked ${selfAudit.nudgedPods} pods`;
  return [
    `self-audit: ${selfAudit.valid ? 'valid' : 'INVALID'}; events seen after ` +
      `${formatDuration(observationMs.p50)} (p50) and ${formatDuration(observationMs.p99)} (p99)${share}${nudged}`,
  ];
}
