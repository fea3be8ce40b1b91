import { KubeConfig } from '@kubernetes/client-node';
import { SimError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Host } from '../host/host.ts';
import { RUN_LABEL } from '../model/labels.ts';
import type { KubeClient } from './client.ts';
import { KINDS } from './objects.ts';

/** As long as any run may take; it dies with the cluster or with its ServiceAccount. */
const TOKEN_SECONDS = 24 * 3600;

export interface IdentityRequest {
  /** Must exist. */
  readonly namespace: string;
  readonly name: string;
  readonly runId: string;
  readonly signal: AbortSignal;
}

/**
 * A ServiceAccount that may do everything, and a token for it. Never the administrator's certificate: its group is
 * exempt from Priority and Fairness, so that throttling would never happen, and its requests could not be told apart.
 */
export async function makeIdentity(
  kube: KubeClient,
  { namespace, name, runId, signal }: IdentityRequest,
): Promise<string> {
  const labels = { [RUN_LABEL]: runId };
  await kube.patch(
    KINDS.serviceAccount,
    name,
    'apply',
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels } },
    { namespace, signal },
  );
  await kube.patch(
    KINDS.clusterRoleBinding,
    `${name}-${runId}`,
    'apply',
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: `${name}-${runId}`, labels },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'cluster-admin',
      },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
    { signal },
  );
  const answer = await kube.createSubresource(
    KINDS.serviceAccount,
    name,
    'token',
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: TOKEN_SECONDS },
    },
    { namespace, signal },
  );
  const status = answer['status'];
  if (isRecord(status) && typeof status['token'] === 'string') return status['token'];
  throw new SimError('SIM_API', `the API server gave no token for ${namespace}/${name}`);
}

/** The cluster of a kubeconfig, as it is needed to reach it with other credentials. */
export interface ClusterAddress {
  readonly server: string;
  /** PEM; undefined when the certificate is not to be checked or is signed by a known authority. */
  readonly ca: string | undefined;
  readonly skipTlsVerify: boolean;
}

export async function clusterAddress(
  host: Pick<Host, 'files'>,
  kubeconfigPath: string,
): Promise<ClusterAddress> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigPath);
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new SimError('SIM_API', `${kubeconfigPath} names no current cluster`);
  const ca =
    cluster.caData === undefined
      ? cluster.caFile === undefined
        ? undefined
        : await host.files.readText(cluster.caFile)
      : Buffer.from(cluster.caData, 'base64').toString('utf8');
  return { server: cluster.server, ca, skipTlsVerify: cluster.skipTLSVerify };
}

/** A kubeconfig with a token, as text. JSON is YAML. */
export function kubeconfigText(
  { server, ca, skipTlsVerify }: ClusterAddress,
  token: string,
  namespace: string,
): string {
  const cluster = {
    server,
    ...(ca === undefined
      ? {}
      : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(skipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'sim', cluster }],
    users: [{ name: 'sim', user: { token } }],
    contexts: [{ name: 'sim', context: { cluster: 'sim', user: 'sim', namespace } }],
    'current-context': 'sim',
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
