import { KubeConfig } from '@kubernetes/client-node';
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
  /** The headers that authenticate a request. Fresh ones when asked: tokens expire. */
  authHeaders(options: { readonly fresh: boolean }): Promise<Readonly<Record<string, string>>>;
}

/** Reads a kubeconfig file and its current context. Throws SIM_API when it cannot be used. */
export async function accessFromFile(path: string): Promise<ClusterAccess> {
  const config = new KubeConfig();
  try {
    config.loadFromFile(path);
  } catch (error) {
    throw new SimError('SIM_API', `cannot read the kubeconfig ${path}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  return accessFromConfig(config);
}

export async function accessFromConfig(config: KubeConfig): Promise<ClusterAccess> {
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new SimError('SIM_API', 'the kubeconfig names no current cluster');
  const url = new URL(cluster.server);
  const options = await authenticate(config);
  let headers = headersOf(options);
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/$/, ''),
    proxyUrl: cluster.proxyUrl,
    tls: tlsOf(options),
    async authHeaders({ fresh }) {
      if (fresh) headers = headersOf(await authenticate(config));
      return headers;
    },
  };
}

/** Lets the client library do its work: files, data, tokens, exec plugins, OIDC, impersonation. */
async function authenticate(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = { headers: {} };
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    throw new SimError('SIM_API', `cannot authenticate: ${reasonOf(error)}`, { cause: error });
  }
  return options;
}

function headersOf({ headers, auth }: RequestOptions): Record<string, string> {
  const own = Object.entries((headers ?? {}) as Record<string, unknown>).map(([name, value]) => [
    name,
    String(value),
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
