import { KubeConfig, type Cluster } from '@kubernetes/client-node';
import type { RequestOptions } from 'node:https';
import type { Pool } from 'undici';
import { reasonOf, SimError } from '../base/errors.ts';

/** Certificates, keys, server name, and whether to verify: what the pool needs to connect. */
export type ConnectOptions = NonNullable<
  Exclude<Pool.Options['connect'], (...args: never) => unknown>
>;

/** How to reach and convince one API server, taken from a kubeconfig. */
export interface ClusterAccess {
  /** `https://127.0.0.1:6443`, without a path. */
  readonly origin: string;
  /** The path in front of `/api`, for servers behind a rewriting proxy; usually empty. */
  readonly basePath: string;
  readonly proxyUrl: string | undefined;
  readonly tls: ConnectOptions;
  /**
   * The headers that authenticate a request. Given the ones that the server has just refused, it makes new ones:
   * tokens expire.
   */
  authHeaders(refused?: AuthHeaders): Promise<AuthHeaders>;
}

export type AuthHeaders = Readonly<Record<string, string>>;

/**
 * Reads a kubeconfig file and a context of it, the current one when none is named. Throws SIM_API, which names the
 * file, when it cannot be used.
 */
export async function accessFromFile(path: string, context?: string): Promise<ClusterAccess> {
  try {
    const config = readConfig(path);
    if (context !== undefined) chooseContext(config, context);
    return await accessFromConfig(config);
  } catch (error) {
    const hint = error instanceof SimError ? error.hint : undefined;
    throw new SimError('SIM_API', `cannot use the kubeconfig ${path}: ${reasonOf(error)}`, {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

function readConfig(path: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromFile(path);
  } catch (error) {
    // The library trips over an empty file, and over lists and numbers where it expects something else.
    if (error instanceof TypeError) throw new Error('it is no kubeconfig', { cause: error });
    throw error;
  }
  return config;
}

function chooseContext(config: KubeConfig, context: string): void {
  const known = config.getContexts().map(({ name }) => name);
  if (!known.includes(context))
    throw new SimError('SIM_API', `it has no context ${context}`, {
      hint: `its contexts: ${known.join(', ')}`,
    });
  config.setCurrentContext(context);
}

/** The access that the current context of a kubeconfig describes. Throws SIM_API when there is none. */
export async function accessFromConfig(config: KubeConfig): Promise<ClusterAccess> {
  const cluster = currentCluster(config);
  const url = serverUrl(cluster);
  const options = await authenticate(config, cluster);
  let headers = headersOf(options);
  let renewal: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    headers = headersOf(await authenticate(config, cluster));
  };
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/$/, ''),
    proxyUrl: cluster.proxyUrl,
    tls: tlsOf(options),
    async authHeaders(refused) {
      // An expired token is refused in many requests at once. They share one renewal.
      if (refused === headers)
        await (renewal ??= renew().finally(() => {
          renewal = undefined;
        }));
      return headers;
    },
  };
}

function currentCluster(config: KubeConfig): Cluster {
  const cluster = config.getCurrentCluster();
  if (cluster) return cluster;
  const context = config.getCurrentContext() as string | undefined;
  throw new SimError(
    'SIM_API',
    context === undefined
      ? 'the kubeconfig has no current context'
      : `the current context ${context} of the kubeconfig names no cluster that is in it`,
  );
}

function serverUrl({ name, server }: Cluster): URL {
  if (/^https?:/.test(server) && URL.canParse(server)) return new URL(server);
  throw new SimError('SIM_API', `the server ${server} of the cluster ${name} is no URL`, {
    hint: 'write it with its scheme, such as https://127.0.0.1:6443',
  });
}

/** Lets the client library do its work: files, data, tokens, exec plugins, OIDC, impersonation. */
async function authenticate(config: KubeConfig, cluster: Cluster): Promise<RequestOptions> {
  // A new one each time, because the library keeps a token until it expires, even when the server refuses it. And
  // without what it would only use to make an agent, which it refuses to do for plain HTTP; the pool is ours.
  const credentials = new KubeConfig();
  const isPlain = cluster.server.startsWith('http:');
  credentials.loadFromClusterAndUser(
    { ...cluster, proxyUrl: '', skipTLSVerify: cluster.skipTLSVerify || isPlain },
    config.getCurrentUser() ?? { name: 'anonymous' }, // without a user it would forget the cluster's own settings
  );
  const options: RequestOptions = { headers: {} };
  try {
    await credentials.applyToHTTPSOptions(options);
  } catch (error) {
    throw new SimError('SIM_API', `cannot authenticate: ${reasonOf(error)}`, { cause: error });
  }
  return options;
}

function headersOf({ headers, auth }: RequestOptions): Record<string, string> {
  const own = Object.entries((headers ?? {}) as Record<string, unknown>).map(([name, value]) => [
    name,
    String(value).trim(), // a token file may end in a newline, which no header may hold
  ]);
  const basic =
    typeof auth === 'string'
      ? { Authorization: `Basic ${Buffer.from(auth).toString('base64')}` }
      : {};
  return { ...basic, ...(Object.fromEntries(own) as Record<string, string>) };
}

function tlsOf(options: RequestOptions): ConnectOptions {
  const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized } = options;
  const given = { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
