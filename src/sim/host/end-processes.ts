import { count, some } from '../base/text.ts';
import { RUN_VARIABLE } from '../model/labels.ts';
import type { Host } from './host.ts';
import type { ProcessIdentity } from './processes.ts';

type EndHost = Pick<Host, 'processes' | 'clock'>;

const POLL_MS = 20;

/**
 * Ends processes by force and waits until they are gone. Each is known by its start time and boot, so that one
 * which took over a pid since stays untouched. Answers those that would not go.
 */
export async function endProcesses(
  host: EndHost,
  identities: readonly ProcessIdentity[],
  timeoutMs: number,
): Promise<readonly ProcessIdentity[]> {
  const deadline = host.clock.now() + timeoutMs;
  let left = await running(host, identities);
  for (const { pid } of left)
    try {
      host.processes.signal(pid, 'SIGKILL');
    } catch {
      // One that has become another user's: it stays among those that are left, and the others end.
    }
  while (left.length > 0 && host.clock.now() < deadline) {
    await host.clock.sleep(POLL_MS);
    left = await running(host, left);
  }
  return left;
}

/** Every process that the run started, and their children: they all carry the run's id in their environment. */
export const processesOfRun = (
  host: Pick<Host, 'processes'>,
  runId: string,
): Promise<readonly ProcessIdentity[]> => host.processes.findByEnvironment(RUN_VARIABLE, runId);

/** What is known of a run's processes: its id, and those that it has recorded. */
export interface ProcessesOfRun {
  readonly id: string;
  readonly processes: readonly ProcessIdentity[];
  /** Those whose sessions are ended with them: what such a one started belongs to the run. */
  readonly leaders: readonly ProcessIdentity[];
}

export interface EndedRun {
  readonly ended: number;
  readonly left: readonly ProcessIdentity[];
}

/**
 * Ends every process of a run by force. Recorded ones are known by start time and boot, those of the last moment by
 * the mark in their environment, and those that were given another environment by their session.
 */
export async function endRun(
  host: EndHost,
  run: ProcessesOfRun,
  timeoutMs: number,
): Promise<EndedRun> {
  const deadline = host.clock.now() + timeoutMs;
  const seen = new Set<string>();
  for (;;) {
    // Once more after each round: while it was ended, one may have started another.
    const found = await findRun(host, run);
    for (const { pid, startTicks } of found) seen.add(`${pid} ${startTicks}`);
    const leftMs = Math.max(0, deadline - host.clock.now());
    const left = await endProcesses(host, found, leftMs);
    if (found.length === 0 || leftMs === 0) return { ended: seen.size - left.length, left };
  }
}

async function findRun(
  host: EndHost,
  { id, processes, leaders }: ProcessesOfRun,
): Promise<readonly ProcessIdentity[]> {
  const [recorded, marked, started] = await Promise.all([
    running(host, processes),
    processesOfRun(host, id),
    host.processes.findBySession(leaders),
  ]);
  const all = [...recorded, ...marked, ...started];
  return [...new Map(all.map((one) => [one.pid, one])).values()];
}

/** For errors: `2 processes would not end: 17 (sleep 120), 18 (sh)`. */
export const wouldNotEnd = (left: readonly ProcessIdentity[]): string =>
  `${count(left.length, 'process', 'processes')} would not end: ` +
  some(left.map(({ pid, command }) => `${pid} (${command.slice(0, 60)})`));

/** Those that are still running. */
export async function running(
  host: EndHost,
  identities: readonly ProcessIdentity[],
): Promise<readonly ProcessIdentity[]> {
  const alive = await Promise.all(identities.map((identity) => host.processes.isRunning(identity)));
  return identities.filter((_, i) => alive[i]);
}
