import { join } from 'node:path';
import { reasonOf, SimError } from '../base/errors.ts';
import type { Host } from './host.ts';

/** `~/.local/state/sim`, where runs keep what must survive them: records, work directories, locks. */
export function stateDirectory({ env }: Pick<Host, 'env'>): string {
  const base = env['XDG_STATE_HOME'];
  if (base !== undefined && base.startsWith('/')) return join(base, 'sim');
  return join(env['HOME'] ?? '/tmp', '.local', 'state', 'sim');
}

/** Makes it, or the directory in it that is named. Throws SIM_RECORDING_WRITE. */
export async function makeStateDirectory(
  host: Pick<Host, 'env' | 'files'>,
  directory = stateDirectory(host),
): Promise<void> {
  try {
    await host.files.makeDirectory(directory, { mode: 0o700 });
  } catch (error) {
    throw new SimError(
      'SIM_RECORDING_WRITE',
      `cannot make the state directory ${directory}: ${reasonOf(error)}`,
      { cause: error, hint: 'set XDG_STATE_HOME to a directory that can be written to' },
    );
  }
}

export const locksDirectory = (host: Pick<Host, 'env'>): string =>
  join(stateDirectory(host), 'locks');

export const lockPath = (host: Pick<Host, 'env'>, name: string): string =>
  join(locksDirectory(host), `${name}.lock`);
