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
  for (const path of candidates(runId, host.env['XDG_RUNTIME_DIR']))
    try {
      const directory = dirname(path);
      // A runtime directory that is missing is not ours to make: nobody would ever remove it.
      const parent = dirname(directory);
      if ((await host.files.stat(parent))?.isDirectory !== true)
        throw new Error(`there is no directory ${parent}`);
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

/** Where the run itself listens, beside its fleet. */
export const controlSocketOf = (fleetSocket: string): string =>
  join(dirname(fleetSocket), 'run.sock');

/** Where a run that is alive listens; undefined when it does not. */
export async function findControlSocket(
  host: SocketHost,
  runId: string,
  runtimeDirectory: string | undefined,
): Promise<string | undefined> {
  for (const path of candidates(runId, runtimeDirectory, host.env['XDG_RUNTIME_DIR'])) {
    const control = controlSocketOf(path);
    if (await isThere(host, control)) return control;
  }
  return undefined;
}

/**
 * Removes what `makeSocketPath` made for a run, also for one that is dead and had another runtime directory. Looks
 * everywhere before it rejects.
 */
export async function removeSocketDirectory(
  host: SocketHost,
  runId: string,
  runtimeDirectory?: string,
): Promise<void> {
  const failures: unknown[] = [];
  for (const path of candidates(runId, runtimeDirectory, host.env['XDG_RUNTIME_DIR'])) {
    const directory = dirname(path);
    try {
      if (await isThere(host, directory)) await host.files.remove(directory);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw asSimError(failures[0], 'SIM_CLEAN', 'cannot remove the socket of the fleet');
}

/** What cannot even be looked at, this user's runs have not made. */
const isThere = ({ files }: SocketHost, directory: string): Promise<boolean> =>
  files.stat(directory).then(
    (found) => found !== undefined,
    () => false,
  );

/** The user's own runtime directories, and where these are missing, not ours, or too deep, the common one. */
function candidates(runId: string, ...own: readonly (string | undefined)[]): ReadonlySet<string> {
  const paths = [...own, '/tmp']
    .filter((directory) => directory?.startsWith('/') === true)
    .map((directory) => join(directory ?? '', `sim-${runId}`, 'fleet.sock'))
    .filter((path) => Buffer.byteLength(path) <= LONGEST_PATH);
  return new Set(paths);
}
