import { ERRORS, type ErrorCode } from '../base/error-catalogue.ts';
import { EXIT, type ExitCode } from '../base/exit-codes.ts';
import type { RecordedRun, StepRecord } from '../model/recorded-run.ts';
import type { InvariantReport, SelfAuditReport, ThresholdReport } from '../model/run-report.ts';
import { formatLimit, formatValue } from '../model/metric-unit.ts';
import type { MetricNames } from '../model/metric.ts';
import type { RunVerdict, Verdict } from '../model/verdict.ts';
import { auditRun } from './self-audit.ts';
import { judgeThresholds } from './thresholds.ts';

/** What judging needs of an invariant; the list itself is given by `run`. */
export interface InvariantRow {
  readonly code: string;
  readonly title: string;
  readonly when: 'always' | 'settled' | 'end';
  readonly check: (run: RecordedRun) => Verdict;
}

export interface Judgement {
  readonly verdict: RunVerdict;
  readonly exitCode: ExitCode;
  /**
   * Why it is not a pass, most important first. Without what merely follows: the thresholds of skipped steps, and the
   * steps that the end of a run cut off, tell that themselves.
   */
  readonly reasons: readonly string[];
  readonly invariants: readonly InvariantReport[];
  readonly thresholds: readonly ThresholdReport[];
  readonly selfAudit: SelfAuditReport;
}

/** Judges a recording. The same recording gets the same judgement, live and years later. */
export function judge(
  run: RecordedRun,
  rows: readonly InvariantRow[],
  names: MetricNames,
): Judgement {
  const selfAudit = auditRun(run);
  const hasGap = run.gaps.length > 0 || run.holes.length > 0;
  const invariants = rows.map((row) => ({ row, report: reportOn(row, run, hasGap) }));
  const thresholds = judgeThresholds(run, names);
  const broken = invariants.filter(({ report }) => report.status === 'broken');
  const isAssumption = (code: string): boolean => code === 'INV000';
  const error = errorOf(run);
  const cutOff = new Set(run.steps.filter((step) => isCutOff(step, error !== undefined)));
  const outcome = decide({
    error,
    always: broken
      .filter(({ row }) => row.when === 'always')
      .map(({ report }) => brokenReason(report)),
    invalid: [
      ...broken
        .filter(({ row }) => isAssumption(row.code))
        .map(({ report }) => brokenReason(report)),
      ...selfAudit.steps.flatMap(({ step, reasons }) =>
        reasons.map((reason) => `${step}: ${reason}`),
      ),
    ],
    failed: [
      ...broken
        .filter(({ row }) => row.when !== 'always' && !isAssumption(row.code))
        .map(({ report }) => brokenReason(report)),
      ...run.steps
        .filter((step) => isFailed(step) && !(error && cutOff.has(step)))
        .map(({ plan, reason }) => `${plan.name}: ${reason ?? 'failed'}`),
      ...thresholds
        .filter(({ status }) => status === 'broken')
        .filter(({ value, step }) => value !== null || !isNamed(step, cutOff))
        .map(thresholdReason),
    ],
  });
  return { ...outcome, invariants: invariants.map(({ report }) => report), thresholds, selfAudit };
}

const isFailed = ({ outcome }: StepRecord): boolean => outcome !== 'converged';

/** What it lacks follows from why it was never done, or never finished; that is the one reason to give. */
const isCutOff = ({ outcome }: StepRecord, endedEarly: boolean): boolean =>
  outcome === 'skipped' || (endedEarly && outcome === 'unfinished');

const isNamed = (name: string | null, steps: ReadonlySet<StepRecord>): boolean =>
  [...steps].some(({ plan }) => plan.name === name);

function reportOn(row: InvariantRow, run: RecordedRun, hasGap: boolean): InvariantReport {
  const { code, title } = row;
  const verdict = row.check(run);
  if (verdict.status === 'broken')
    return {
      code,
      title,
      status: 'broken',
      reason: null,
      checked: verdict.checked,
      findings: verdict.findings,
    };
  if (verdict.status === 'held' && !hasGap)
    return {
      code,
      title,
      status: 'held',
      reason: verdict.remark ?? null,
      checked: verdict.checked,
      findings: [],
    };
  const reason =
    verdict.status === 'held'
      ? 'nothing wrong was seen, but the recording has a gap'
      : verdict.reason;
  return { code, title, status: 'not-applicable', reason, checked: 0, findings: [] };
}

function brokenReason({ code, findings }: InvariantReport): string {
  const [first, ...others] = findings;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `${code}: ${first?.message ?? 'broken'}${more}`;
}

const thresholdReason = (threshold: ThresholdReport): string =>
  `threshold ${threshold.expr} in ${threshold.step ?? 'the run'}: ${whyBroken(threshold)}`;

const whyBroken = ({ value, limit, unit, reason }: ThresholdReport): string =>
  value === null
    ? (reason ?? 'got nothing')
    : `got ${formatValue(value, unit, limit)}, limit ${formatLimit(limit, unit)}`;

interface Grounds {
  readonly error: { readonly exitCode: ExitCode; readonly reason: string } | undefined;
  readonly always: readonly string[];
  readonly invalid: readonly string[];
  readonly failed: readonly string[];
}

/**
 * Precedence: 70, 2, 130/143, 3, then 1 for a broken always-invariant (a duplicate is a duplicate, in an invalid
 * run too), 4, 1, 0.
 */
function decide({
  error,
  always,
  invalid,
  failed,
}: Grounds): Pick<Judgement, 'verdict' | 'exitCode' | 'reasons'> {
  const reasons = [...(error ? [error.reason] : []), ...always, ...invalid, ...failed];
  if (error) {
    const interrupted = error.exitCode === EXIT.interrupted || error.exitCode === EXIT.terminated;
    return { verdict: interrupted ? 'interrupted' : 'error', exitCode: error.exitCode, reasons };
  }
  if (always.length > 0) return { verdict: 'fail', exitCode: EXIT.fail, reasons };
  if (invalid.length > 0) return { verdict: 'invalid', exitCode: EXIT.invalid, reasons };
  if (failed.length > 0) return { verdict: 'fail', exitCode: EXIT.fail, reasons };
  return { verdict: 'pass', exitCode: EXIT.pass, reasons: [] };
}

function errorOf({ end }: RecordedRun): Grounds['error'] {
  if (!end)
    return { exitCode: EXIT.error, reason: 'the recording has no end: sim itself was killed' };
  if (end.reason === 'interrupted')
    return {
      exitCode: end.code === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted,
      reason: `interrupted by ${end.code ?? 'a signal'}`,
    };
  if (end.reason !== 'error') return undefined;
  const known = end.code !== undefined && end.code in ERRORS;
  return {
    exitCode: known ? ERRORS[end.code as ErrorCode].exitCode : EXIT.bug,
    reason: `${end.code ?? 'error'}: ${end.message ?? 'no message'}`,
  };
}
