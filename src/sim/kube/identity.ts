import { isRecord } from '../base/json.ts';
import { ApiError } from './api-error.ts';
import type { KubeClient } from './client.ts';
import { collectionPath, KINDS } from './objects.ts';

/**
 * The user that the API server sees behind a client, and the flow schema it puts the client's requests into. Null what
 * the server does not tell: older ones cannot, and not everybody may ask.
 */
export async function whoAmI(
  kube: KubeClient,
  signal?: AbortSignal,
): Promise<{ readonly identity: string | null; readonly flowSchema: string | null }> {
  return { identity: await userName(kube, signal), flowSchema: await flowSchemaName(kube, signal) };
}

async function userName(kube: KubeClient, signal?: AbortSignal): Promise<string | null> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const body = JSON.stringify({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
  });
  const response = await kube.transport.send({ method: 'POST', path, body, signal });
  const text = await response.body.text();
  if (response.status >= 300) return null;
  const review: unknown = JSON.parse(text);
  const status = isRecord(review) ? review['status'] : undefined;
  const user = isRecord(status) ? status['userInfo'] : undefined;
  return isRecord(user) && typeof user['username'] === 'string' ? user['username'] : null;
}

/** Null when Priority and Fairness is off: then no answer names a flow schema. */
async function flowSchemaName(kube: KubeClient, signal?: AbortSignal): Promise<string | null> {
  const response = await kube.transport.send({
    method: 'GET',
    path: collectionPath(KINDS.namespace),
    query: { limit: 1 },
    signal,
  });
  await response.body.dump();
  const uid = response.headers['x-kubernetes-pf-flowschema-uid'];
  if (typeof uid !== 'string') return null;
  try {
    const schemas = await kube.list(KINDS.flowSchema, { signal });
    return schemas.find(({ metadata }) => metadata.uid === uid)?.metadata.name ?? null;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
