import { join } from 'node:path';
import type { Host } from './host.ts';

/** `~/.local/state/sim`, where runs keep what must survive them: records, work directories, locks. */
export function stateDirectory({ env }: Pick<Host, 'env'>): string {
  const base = env['XDG_STATE_HOME'];
  if (base !== undefined && base.startsWith('/')) return join(base, 'sim');
  return join(env['HOME'] ?? '/tmp', '.local', 'state', 'sim');
}

export const locksDirectory = (host: Pick<Host, 'env'>): string =>
  join(stateDirectory(host), 'locks');

export const lockPath = (host: Pick<Host, 'env'>, name: string): string =>
  join(locksDirectory(host), `${name}.lock`);
