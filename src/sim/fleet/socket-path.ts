import { dirname, join } from 'node:path';
import { asSimError, SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';

/** The kernel takes 107 bytes. The fleet refuses more than these. */
const LONGEST_PATH = 100;

type SocketHost = Pick<Host, 'files' | 'env'>;

/** Makes a directory that only its owner may enter, and answers where in it the fleet of a run shall listen. */
export async function makeSocketPath(host: SocketHost, runId: string): Promise<string> {
  let reason: unknown = new SimError(
    'SIM_BUG',
    `the run id ${runId} is too long for a socket path`,
  );
  for (const path of candidates(host, runId))
    try {
      const directory = dirname(path);
      await host.files.makeDirectory(directory, { mode: 0o700 });
      await host.files.setMode(directory, 0o700); // fails when somebody else made it first
      return path;
    } catch (error) {
      reason = error;
    }
  throw asSimError(
    reason,
    'SIM_CLUSTER_START',
    'cannot make a directory for the socket of the fleet',
  );
}

/** Removes what `makeSocketPath` made for a run, also for one that is dead. */
export async function removeSocketDirectory(host: SocketHost, runId: string): Promise<void> {
  for (const path of candidates(host, runId)) await host.files.remove(dirname(path));
}

/** The user's own runtime directory, and where that is missing, not ours, or too deep, the common one. */
function candidates({ env }: SocketHost, runId: string): readonly string[] {
  const own = env['XDG_RUNTIME_DIR'] ?? '';
  return [own, '/tmp']
    .filter((directory) => directory.startsWith('/'))
    .map((directory) => join(directory, `sim-${runId}`, 'fleet.sock'))
    .filter((path) => Buffer.byteLength(path) <= LONGEST_PATH);
}
