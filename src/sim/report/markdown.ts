import { formatDuration } from '../base/duration.ts';
import { formatBytes } from '../base/quantity.ts';
import { count, some } from '../base/text.ts';
import { formatValue } from '../model/metric-unit.ts';
import type { RunReport, StepAudit, StepReport, ThresholdReport } from '../model/run-report.ts';
import { duration, subject, VERDICT_WORDS } from './format.ts';

/** `summary.md`, for a job page. What came from a cluster is escaped. */
export function markdownSummary(report: RunReport): string {
  const { scenario, run, machine } = report;
  return [
    `# ${escape(scenario.name)}: ${VERDICT_WORDS[report.verdict]}`,
    '',
    `${escape(subject(report))}  `,
    `run ${run.id}, ${run.startedAt}, ${formatDuration(run.durationMs)}, seed ${run.seed}; ` +
      `${String(machine['cpus'])} × ${escape(String(machine['cpuModel']))}, ${formatBytes(Number(machine['memoryBytes']))}`,
    '',
    ...(report.reasons.length > 0
      ? ['## Why', '', ...report.reasons.slice(0, 20).map((reason) => `- ${escape(reason)}`), '']
      : []),
    '## Steps',
    '',
    '| step | nodes | status | converged | milestone | n | p50 | p90 | p99 | max | missing |',
    '| --- | ---: | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | --- |',
    ...report.steps.flatMap(stepRows),
    '',
    ...recoveries(report.steps),
    ...apiCost(report.steps),
    '## Invariants',
    '',
    '| code | status | checked | guarantee |',
    '| --- | --- | ---: | --- |',
    ...report.invariants.map(
      ({ code, status, checked, title, reason }) =>
        `| ${code} | ${status} | ${checked} | ${escape(title)}${reason === null ? '' : ` (${escape(reason)})`} |`,
    ),
    '',
    ...thresholdTable(report),
    ...selfAudit(report),
    '',
  ].join('\n');
}

function stepRows(step: StepReport): readonly string[] {
  const milestones = Object.entries(step.milestones);
  const head = `${escape(step.name)} | ${step.nodes} | ${step.status} | ${duration(step.convergedMs)}`;
  if (milestones.length === 0) return [`| ${head} | – | – | – | – | – | – | |`];
  return milestones.map(
    ([name, m], i) =>
      `| ${i === 0 ? head : ' | | | '} | ${escape(name)} | ${m.count} | ${duration(m.p50Ms)} | ` +
      `${duration(m.p90Ms)} | ${duration(m.p99Ms)} | ${duration(m.maxMs)} | ${escape(some(m.missing))} |`,
  );
}

function recoveries(steps: readonly StepReport[]): readonly string[] {
  const lines = steps
    .filter(({ recoveryMs }) => recoveryMs !== null)
    .map(
      ({ name, recoveryMs }) =>
        `- ${escape(name)}: everything held again ${duration(recoveryMs)} after it`,
    );
  return lines.length === 0 ? [] : ['## Recovery', '', ...lines, ''];
}

function apiCost(steps: readonly StepReport[]): readonly string[] {
  const rows = steps.flatMap(({ name, api }) =>
    api
      ? [
          `| ${escape(name)} | ${api.requests} | ${api.requestsPerNodeAdded?.toFixed(1) ?? '–'} | ${api.conflicts} | ${api.throttled} | ${duration(api.latencyMs?.p99 ?? null)} |`,
        ]
      : [],
  );
  if (rows.length === 0) return [];
  return [
    '## Cost on the API server',
    '',
    '| step | requests | per node added | conflicts | throttled | p99 |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
  ];
}

function thresholdTable({ thresholds }: RunReport): readonly string[] {
  if (thresholds.length === 0) return [];
  return [
    '## Thresholds',
    '',
    '| threshold | step | status | value |',
    '| --- | --- | --- | ---: |',
    ...thresholds.map(
      (threshold) =>
        `| ${escape(threshold.expr)} | ${escape(threshold.step ?? '')} | ${threshold.status} | ${valueCell(threshold)} |`,
    ),
    '',
  ];
}

const valueCell = ({ value, unit, limit, reason }: ThresholdReport): string =>
  value === null ? escape(reason ?? '–') : formatValue(value, unit, limit);

function selfAudit({ selfAudit: audit, usage }: RunReport): readonly string[] {
  return [
    '## Self-audit',
    '',
    `${audit.valid ? 'valid' : '**invalid**'}; observation p50 ${duration(audit.observationMs?.p50 ?? null)}, ` +
      `p99 ${duration(audit.observationMs?.p99 ?? null)}; ` +
      `${count(audit.gaps, 'gap')}, ${count(audit.resumes, 'resumed watch', 'resumed watches')}` +
      (audit.nudgedPods > 0 ? `, ${count(audit.nudgedPods, 'pod')} that kwok had overlooked` : ''),
    '',
    ...stepAudits(audit.steps),
    '| process | CPU time | most memory |',
    '| --- | ---: | ---: |',
    ...Object.entries(usage).map(
      ([name, { cpuMs, maxRssBytes }]) =>
        `| ${escape(name)} | ${formatDuration(cpuMs)} | ${formatBytes(maxRssBytes)} |`,
    ),
  ];
}

/** What an invalid verdict hangs on. */
function stepAudits(steps: readonly StepAudit[]): readonly string[] {
  if (steps.length === 0) return [];
  return [
    '| step | samples | error | limit | valid | reason |',
    '| --- | ---: | ---: | ---: | --- | --- |',
    ...steps.map(
      ({ step, samples, errorMs, limitMs, valid, reasons }) =>
        `| ${escape(step)} | ${samples} | ${duration(errorMs)} | ${duration(limitMs)} | ${valid ? 'yes' : '**no**'} | ${escape(reasons.join('; '))} |`,
    ),
    '',
  ];
}

/** Names come from a cluster: nothing in them may become markup. */
const escape = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]<>|#]/g, (character) => `\\${character}`).replaceAll(/[\r\n]+/g, ' ');
