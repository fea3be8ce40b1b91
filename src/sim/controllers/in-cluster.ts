import { join } from 'node:path';
import { reasonOf, SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import type { ClusterAddress } from '../kube/service-account.ts';

const TRY_TIMEOUT_MS = 10_000;

type InClusterHost = Pick<Host, 'commands' | 'env' | 'files' | 'packageRoot' | 'platform'>;

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
 * Throws SIM_CONTROLLER_START where no such namespace can be made.
 */
export async function inCluster(
  host: InClusterHost,
  { program, args, env }: WrappedCommand,
  settings: InClusterSettings,
): Promise<WrappedCommand> {
  const secrets = await writeSecrets(host, settings);
  const asRoot = host.platform.uid === 0 ? [] : ['--map-root-user'];
  const script = join(host.packageRoot, 'templates', 'in-cluster.sh');
  const wrapper = ['--mount', '--propagation', 'private', ...asRoot, 'sh', script, secrets];
  await tryOut(host, wrapper);
  const { hostname, port } = new URL(settings.address.server);
  return {
    program: 'unshare',
    args: [...wrapper, program, ...args],
    env: {
      ...env,
      // Clients put the brackets of an IPv6 address there themselves.
      KUBERNETES_SERVICE_HOST: hostname.replace(/^\[(.*)\]$/, '$1'),
      KUBERNETES_SERVICE_PORT: port || '443',
    },
  };
}

async function writeSecrets(
  host: Pick<Host, 'files'>,
  { address, token, namespace, directory }: InClusterSettings,
): Promise<string> {
  const secrets = join(directory, 'serviceaccount');
  await host.files.makeDirectory(secrets, { mode: 0o700 });
  const files = { token, namespace, 'ca.crt': address.ca ?? '' };
  for (const [name, text] of Object.entries(files))
    await host.files.writeText(join(secrets, name), text, { mode: 0o600 });
  return secrets;
}

/** With a program that does nothing: otherwise what goes wrong here would look like the controller's own failure. */
async function tryOut({ commands, env }: InClusterHost, wrapper: readonly string[]): Promise<void> {
  try {
    await commands.run('unshare', [...wrapper, 'true'], { env, timeoutMs: TRY_TIMEOUT_MS });
  } catch (error) {
    throw new SimError(
      'SIM_CONTROLLER_START',
      `the controller cannot be run as in a cluster: ${reasonOf(error)}`,
      {
        cause: error,
        details: error instanceof SimError ? error.details : [],
        hint: 'inCluster needs `unshare` and the right to make mount namespaces: run sim as root, or leave inCluster out',
      },
    );
  }
}
