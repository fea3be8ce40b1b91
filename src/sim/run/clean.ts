import { join } from 'node:path';
import { count } from '../base/text.ts';
import { reasonOf, SimError } from '../base/errors.ts';
import { removeSocketDirectory } from '../fleet/socket-path.ts';
import { endRun, running, wouldNotEnd } from '../host/end-processes.ts';
import type { Host } from '../host/host.ts';
import { removeCgroups } from '../host/remove-cgroups.ts';
import { tryLock } from '../host/locks.ts';
import { locksDirectory } from '../host/state-directory.ts';
import { deadRuns, removeRecord, workDirectoryOf, type RunRecord } from '../host/run-record.ts';

const END_TIMEOUT_MS = 10_000;

export interface Cleaned {
  /** What was removed, a line per run. */
  readonly cleaned: readonly string[];
  readonly problems: readonly string[];
}

/** Removes the processes and directories of runs whose sim process is gone. Touches nothing that no run of ours made. */
export async function cleanDeadRuns(host: Host): Promise<Cleaned> {
  const cleaned: string[] = [];
  const problems: string[] = [];
  for (const record of await deadRuns(host)) {
    try {
      cleaned.push(await cleanRun(host, record));
    } catch (error) {
      problems.push(`run ${record.id}: ${reasonOf(error)}`);
    }
  }
  await sweepLocks(host);
  return { cleaned, problems };
}

/** Whoever can take a lock finds that its owner is gone; given up again, its file is gone too. */
async function sweepLocks(host: Host): Promise<void> {
  const directory = locksDirectory(host);
  for (const name of await host.files.list(directory)) {
    const lock = await tryLock(host, join(directory, name));
    await lock?.release();
  }
}

async function cleanRun(host: Host, record: RunRecord): Promise<string> {
  // The pid of a leader that has ended since may have led others' sessions: only those of living ones are ours.
  const leaders = await running(host, record.processes);
  const { ended, left } = await endRun(host, { ...record, leaders }, END_TIMEOUT_MS);
  if (left.length > 0) throw new SimError('SIM_CLEAN', wouldNotEnd(left));
  const { id, cgroups: directories = [] } = record;
  await removeCgroups(host, { id, directories }, END_TIMEOUT_MS);
  // Not the path that the record names: only what this user's runs keep in their own place is ours to remove.
  await host.files.remove(workDirectoryOf(host, record.id));
  await removeSocketDirectory(host, record.id, record.runtimeDirectory);
  await removeRecord(host, record.id);
  return `run ${record.id} of ${record.startedAt}: ${count(ended, 'process', 'processes')} ended, its work directory removed`;
}
