import { formatDuration } from '../base/duration.ts';
import { asSimError, reasonOf, SimError } from '../base/errors.ts';
import { within } from '../base/wait.ts';
import { checkController } from '../controllers/prepare-controller.ts';
import type { Host } from '../host/host.ts';
import type { ObservationOf } from '../model/history.ts';
import type { RunReport } from '../model/run-report.ts';
import { conductRun } from './conduct-run.ts';
import { headerOf } from './header.ts';
import { reportOf } from './judge-run.ts';
import { Interruption } from './run-control.ts';
import { whyNotWritable } from './run-directory.ts';
import { openSession, type RunRequest, type Session } from './session.ts';
import { writeReports } from './write-reports.ts';

export interface RunOutcome {
  readonly report: RunReport;
  /** Where the report is; undefined when it could not be written. */
  readonly place: string | undefined;
  /** What broke, where something did. The report's verdict goes by the first. */
  readonly errors: readonly SimError[];
  /** What could not be undone. */
  readonly leftovers: readonly string[];
  /** Of the cluster, where it was kept. */
  readonly kubeconfig: string | undefined;
}

/** How long closing the recording may take: a stopped run must have its report out within two seconds. */
const CLOSE_MS = 1000;
const EVIDENCE_MS = 2000;
/** Hosted runners give a stopped job about ten seconds in all. */
const TEARDOWN_MS = 5000;

/**
 * Runs a scenario from the creation of the cluster to its removal. Rejects only when the program under test is not
 * there, or there is no place for a recording; whatever happens later is in the report.
 */
export async function runScenario(host: Host, request: RunRequest): Promise<RunOutcome> {
  await checkController(host, request.loaded.scenario.operator.controller);
  const session = await openSession(host, request);
  const stopListening = session.control.listen(host, (line) => {
    session.progress.say(line);
  });
  try {
    const ending = await conduct(session);
    const problems = await session.undo.unwind(CLOSE_MS);
    const conclusion = await conclude(session, ending);
    const { leftovers, kubeconfig } = await tearDown(session, conclusion.report, problems);
    return { ...conclusion, leftovers, kubeconfig };
  } finally {
    stopListening();
  }
}

/** Answers what ended the run early, if anything did. */
async function conduct(session: Session): Promise<Interruption | SimError | undefined> {
  const { host, control, recorder, request, progress } = session;
  const { timeoutMs } = request.plan;
  const inTime = new AbortController();
  void host.clock.sleep(timeoutMs, inTime.signal).then(
    () => {
      control.halt(`the run took longer than ${formatDuration(timeoutMs)}`);
    },
    () => undefined, // it did not
  );
  try {
    recorder.record(await headerOf(session));
    await conductRun(session);
    return undefined;
  } catch (error) {
    const reason: unknown = control.signal.aborted ? control.signal.reason : error;
    if (reason instanceof Interruption) return reason;
    return await blameFairly(session, asSimError(reason, 'SIM_BUG', 'unexpected failure'));
  } finally {
    inTime.abort();
    progress.stop();
  }
}

/** Programs that cannot write their logs end for no fault of theirs, and more may go wrong without room. */
async function blameFairly({ host, directory }: Session, error: SimError): Promise<SimError> {
  if (error.code === 'SIM_RECORDING_WRITE') return error;
  const why = await whyNotWritable(host, directory);
  if (!why) return error;
  const { code, message, hint, exitCode } = why;
  const details = [`and so: ${error.code} ${error.message}`, ...error.details];
  return new SimError(code, message, { details, exitCode, cause: why, ...(hint ? { hint } : {}) });
}

/** Ends the recording, judges it and writes the report: within two seconds, whatever has happened. */
async function conclude(
  session: Session,
  ending: Interruption | SimError | undefined,
): Promise<Pick<RunOutcome, 'report' | 'place' | 'errors'>> {
  const { host, recorder, directory, control } = session;
  const failed = (): SimError | undefined =>
    control.signal.reason instanceof SimError ? control.signal.reason : undefined;
  const known = ending ?? failed();
  recorder.record(endOf(known));
  await within(host.clock, CLOSE_MS, 'closing the recording', recorder.close()).catch(
    (error: unknown) => {
      host.terminal.err(reasonOf(error));
    },
  );
  // The very last writes may be the ones for which the disk had no room.
  const broken = known ?? failed() ?? (await removedMeanwhile(session));
  const errors = broken instanceof SimError ? [broken] : [];
  const report = reportAfter(session, broken);
  try {
    await writeReports(host, directory, report);
    return { report, place: directory.path, errors };
  } catch (problem) {
    const unwritten = asSimError(problem, 'SIM_BUG', 'unexpected failure of the report');
    return {
      report: broken ? report : reportAfter(session, unwritten),
      place: undefined,
      errors: [...errors, unwritten],
    };
  }
}

/** Who writes to a file that was removed is not told. */
async function removedMeanwhile({ host, directory }: Session): Promise<SimError | undefined> {
  const isThere = await host.files.stat(directory.history).catch(() => undefined);
  return isThere ? undefined : whyNotWritable(host, directory);
}

/** What was found out after the last entry counts, too: the headline must agree with the exit code. */
function reportAfter(
  { recorder, request }: Session,
  ending: Interruption | SimError | undefined,
): RunReport {
  const run = recorder.fold.result();
  const { end } = run;
  const seen = end && ending ? { ...run, end: { ...end, ...endOf(ending) } } : run;
  return reportOf(seen, request.loaded.profile);
}

async function tearDown(
  session: Session,
  report: RunReport,
  problems: readonly string[],
): Promise<Pick<RunOutcome, 'leftovers' | 'kubeconfig'>> {
  const { host, request, runRecord, undoCluster, kubeconfig } = session;
  const failed = report.verdict !== 'pass';
  if (failed && session.evidence)
    await within(host.clock, EVIDENCE_MS, 'collecting logs', session.evidence()).catch(
      (error: unknown) => {
        host.terminal.err(reasonOf(error));
      },
    );
  const keep =
    kubeconfig !== undefined &&
    (request.keepCluster === 'always' || (request.keepCluster === 'on-failure' && failed));
  if (keep) {
    await runRecord.markKept();
    return { leftovers: problems, kubeconfig };
  }
  // Last: while something is left, `sim clean` must be able to find it.
  const leftovers = [...problems, ...(await undoCluster.unwind(TEARDOWN_MS))];
  if (leftovers.length > 0) return { leftovers, kubeconfig: undefined };
  const { undo } = session;
  undo.push('remove the record of the run', () => runRecord.remove());
  return { leftovers: await undo.unwind(TEARDOWN_MS), kubeconfig: undefined };
}

function endOf(ending: Interruption | SimError | undefined): ObservationOf<'end'> {
  if (!ending) return { kind: 'end', reason: 'completed' };
  const { message } = ending;
  return ending instanceof Interruption
    ? { kind: 'end', reason: 'interrupted', code: ending.signal, message }
    : { kind: 'end', reason: 'error', code: ending.code, message };
}
