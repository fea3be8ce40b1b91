import { join } from 'node:path';
import type { Host } from '../host/host.ts';
import type { ClusterAddress } from '../kube/service-account.ts';

export interface InClusterSettings {
  readonly address: ClusterAddress;
  readonly token: string;
  readonly namespace: string;
  /** A private directory of the run. */
  readonly directory: string;
}

export interface WrappedCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Wraps a command so that it believes to run in a pod: the files of the service account at their usual place, in a
 * mount namespace of its own, and the API server's address in the environment. As root, or where the kernel lets
 * everybody make a user namespace. The process keeps its pid: every layer replaces itself by the next.
 */
export async function inCluster(
  host: Pick<Host, 'files' | 'packageRoot' | 'platform'>,
  { program, args, env }: WrappedCommand,
  settings: InClusterSettings,
): Promise<WrappedCommand> {
  const secrets = join(settings.directory, 'serviceaccount');
  await host.files.makeDirectory(secrets, { mode: 0o700 });
  const files = {
    token: settings.token,
    namespace: settings.namespace,
    'ca.crt': settings.address.ca ?? '',
  };
  for (const [name, text] of Object.entries(files))
    await host.files.writeText(join(secrets, name), text, { mode: 0o600 });
  const { hostname, port } = new URL(settings.address.server);
  const asRoot = host.platform.uid === 0 ? [] : ['--map-root-user'];
  const script = join(host.packageRoot, 'templates', 'in-cluster.sh');
  return {
    program: 'unshare',
    args: [
      '--mount',
      '--propagation',
      'private',
      ...asRoot,
      'sh',
      script,
      secrets,
      program,
      ...args,
    ],
    env: { ...env, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port || '443' },
  };
}
