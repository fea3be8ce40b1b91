import { spawnSync } from 'node:child_process';

/** Why nothing can be mounted in a mount namespace on this machine; undefined when it can. */
export function whyNoMounts(options: readonly string[] = []): string | undefined {
  const mount = ['mount', '-n', '-t', 'tmpfs', 'tmpfs', '/mnt'];
  const args = ['--mount', '--propagation', 'private', ...options, ...mount];
  const { status, stderr, error } = spawnSync('unshare', args, { encoding: 'utf8' });
  if (status === 0) return undefined;
  return `no mount namespace can be made here: ${error?.message ?? stderr.trim()}`;
}
