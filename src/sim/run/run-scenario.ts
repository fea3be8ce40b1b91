import { formatDuration } from '../base/duration.ts';
import { asSimError, reasonOf, SimError } from '../base/errors.ts';
import { within } from '../base/wait.ts';
import type { Host } from '../host/host.ts';
import type { ObservationOf } from '../model/history.ts';
import type { RunReport } from '../model/run-report.ts';
import { conductRun } from './conduct-run.ts';
import { headerOf } from './header.ts';
import { reportOf } from './judge-run.ts';
import { Interruption } from './run-control.ts';
import type { RunDirectory } from './run-directory.ts';
import { openSession, type RunRequest, type Session } from './session.ts';
import { writeReports } from './write-reports.ts';

export interface RunOutcome {
  readonly report: RunReport;
  readonly directory: RunDirectory;
  /** What broke, where something did. */
  readonly error: SimError | undefined;
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
 * Runs a scenario from the creation of the cluster to its removal. Rejects only when there is no place for a
 * recording; whatever happens later is in the report.
 */
export async function runScenario(host: Host, request: RunRequest): Promise<RunOutcome> {
  const session = await openSession(host, request);
  const stopListening = session.control.listen(host, (line) => {
    session.progress.say(line);
  });
  try {
    const ending = await conduct(session);
    const { report, error } = await conclude(session, ending);
    const kept = await tearDown(session, report);
    return { report, error, directory: session.directory, ...kept };
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
    return asSimError(reason, 'SIM_BUG', 'unexpected failure');
  } finally {
    inTime.abort();
    progress.stop();
  }
}

/** Ends the recording, judges it and writes the report: within two seconds, whatever has happened. */
async function conclude(
  { host, recorder, directory, request, control, undo }: Session,
  ending: Interruption | SimError | undefined,
): Promise<{ readonly report: RunReport; readonly error: SimError | undefined }> {
  await undo.unwind(CLOSE_MS);
  recorder.record(endOf(ending));
  await within(host.clock, CLOSE_MS, 'closing the recording', recorder.close()).catch(
    (error: unknown) => {
      host.terminal.err(reasonOf(error));
    },
  );
  // The very last writes may be the ones for which the disk had no room.
  const failedWrite: unknown = control.signal.reason;
  const error =
    ending instanceof SimError ? ending : failedWrite instanceof SimError ? failedWrite : undefined;
  const report = reportOf(recorder.fold.result(), request.loaded.profile);
  try {
    await writeReports(host, directory, report);
    return { report, error };
  } catch (problem) {
    return { report, error: error ?? asSimError(problem, 'SIM_RECORDING_WRITE', 'no report') };
  }
}

async function tearDown(
  session: Session,
  report: RunReport,
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
    return { leftovers: [], kubeconfig };
  }
  return { leftovers: await undoCluster.unwind(TEARDOWN_MS), kubeconfig: undefined };
}

function endOf(ending: Interruption | SimError | undefined): ObservationOf<'end'> {
  if (!ending) return { kind: 'end', reason: 'completed' };
  const { message } = ending;
  return ending instanceof Interruption
    ? { kind: 'end', reason: 'interrupted', code: ending.signal, message }
    : { kind: 'end', reason: 'error', code: ending.code, message };
}
