import { delimiter, join, resolve } from 'node:path';
import { SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';

/**
 * The kubeconfig that the user means: the one that was given, else of `$KUBECONFIG`, else `~/.kube/config`. Throws
 * SIM_USAGE when that is none, or several.
 */
export async function kubeconfigPath(
  { env, cwd, files }: Pick<Host, 'env' | 'cwd' | 'files'>,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return resolve(cwd, given);
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 1)
    throw new SimError('SIM_USAGE', `KUBECONFIG names ${listed.length} files`, {
      hint: `choose one: --kubeconfig ${listed.join(' or ')}`,
    });
  if (listed[0] !== undefined) return resolve(cwd, listed[0]);
  const own = join(env['HOME'] ?? '/', '.kube', 'config');
  if ((await files.stat(own)) !== undefined) return own;
  throw new SimError('SIM_USAGE', `no kubeconfig: KUBECONFIG is not set, and there is no ${own}`, {
    hint: 'name one: --kubeconfig FILE',
  });
}
