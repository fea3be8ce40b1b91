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
  for (const { pid } of left) host.processes.signal(pid, 'SIGKILL');
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

async function running(
  host: EndHost,
  identities: readonly ProcessIdentity[],
): Promise<readonly ProcessIdentity[]> {
  const alive = await Promise.all(identities.map((identity) => host.processes.isRunning(identity)));
  return identities.filter((_, i) => alive[i]);
}
