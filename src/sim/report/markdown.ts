import { formatDuration } from '../base/duration.ts';
import { formatBytes } from '../base/quantity.ts';
import { count, some } from '../base/text.ts';
import { formatValue } from '../model/metric-unit.ts';
import type { RunReport, StepAudit, StepReport, ThresholdReport } from '../model/run-report.ts';
import {
  duration,
  regressionTexts,
  stallText,
  subject,
  throttledLines,
  VERDICT_WORDS,
} from './format.ts';

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
    ...fallenCounters(report.steps),
    ...disturbances(report),
    ...allocations(report.steps),
    ...apiCost(report.steps),
    ...controllerMetrics(report.steps),
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

/** A restart without a proof of life may have been over before anybody could miss it: its recovery says little. */
function disturbances({ disturbances: all }: RunReport): readonly string[] {
  if (all.length === 0) return [];
  return [
    '## Restarts and faults',
    '',
    '| what | nodes | lasted | longest without progress | everything held again after |',
    '| --- | --- | ---: | --- | ---: |',
    ...all.map(
      ({ what, nodes, beginMs, endMs, recoveryMs, stalls }) =>
        `| ${escape(what)} | ${escape(nodes ?? '–')} | ${duration(endMs === null ? null : endMs - beginMs)} | ` +
        `${escape(stallText(stalls))} | ${duration(recoveryMs)} |`,
    ),
    '',
  ];
}

const MOST_REGRESSIONS = 20;

/** A controller that takes back what it has counted is not done when it first says so. */
function fallenCounters(steps: readonly StepReport[]): readonly string[] {
  const lines = steps.flatMap((step) => {
    const falls = regressionTexts(step);
    return falls.length === 0
      ? []
      : [`- ${escape(`${step.name}: ${some(falls, MOST_REGRESSIONS)}`)}`];
  });
  return lines.length === 0 ? [] : ['## Counters that fell back', '', ...lines, ''];
}

function allocations(steps: readonly StepReport[]): readonly string[] {
  const rows = steps.flatMap(({ name, allocations: all }) =>
    all.map(
      ({ verb, requests, addresses, partial, empty, failed, retries, p50Ms, p99Ms, maxMs }) =>
        `| ${escape(name)} | ${verb} | ${requests} | ${addresses} | ${partial} | ${empty} | ${failed} | ${retries} | ` +
        `${duration(p50Ms)} | ${duration(p99Ms)} | ${duration(maxMs)} |`,
    ),
  );
  if (rows.length === 0) return [];
  return [
    '## Addresses',
    '',
    '| step | verb | requests | addresses | partial | none | failed | retries | p50 | p99 | max |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
  ];
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

/** Its own words, beside what others saw of it. */
function controllerMetrics(steps: readonly StepReport[]): readonly string[] {
  const rows = steps.flatMap(({ name, controllerMetrics: metrics }) => {
    if (!metrics) return [];
    const { maxQueueDepth, reconciles, reconcileErrors, queueRetries, requests } = metrics;
    const figures = [maxQueueDepth, reconciles, reconcileErrors, queueRetries, requests];
    return [`| ${escape(name)} | ${figures.map((figure) => figure ?? '–').join(' | ')} |`];
  });
  if (rows.length === 0) return [];
  return [
    "## The controller's own metrics",
    '',
    '| step | deepest queue | reconciles | errors | retries | requests |',
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
    ...throttledLines(usage).flatMap((line) => ['', escape(line)]),
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
