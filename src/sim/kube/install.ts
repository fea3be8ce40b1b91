import type { Clock } from '../base/clock.ts';
import { isRecord, type JsonObject } from '../base/json.ts';
import { waitFor } from '../base/wait.ts';
import { RUN_LABEL } from '../model/labels.ts';
import type { ResourceKind } from '../model/operator-profile.ts';
import type { KubeClient } from './client.ts';
import { collectionPath, KINDS } from './objects.ts';

/** An object as it is written in a manifest. */
export type Manifest = JsonObject & { readonly metadata: JsonObject & { readonly name: string } };

export interface InstallOptions {
  readonly runId: string;
  readonly signal: AbortSignal;
}

/** Applies an object under the run's label. */
export async function applyManifest(
  kube: KubeClient,
  of: ResourceKind,
  manifest: Manifest,
  { runId, signal }: InstallOptions,
): Promise<void> {
  const { namespace, labels } = manifest.metadata;
  const own = { ...(isRecord(labels) ? labels : {}), [RUN_LABEL]: runId };
  const object = { ...manifest, metadata: { ...manifest.metadata, labels: own } };
  await kube.patch(of, manifest.metadata.name, 'apply', object, {
    signal,
    ...(typeof namespace === 'string' ? { namespace } : {}),
  });
}

const ESTABLISH_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** Installs definitions and waits until their kinds can be used without delay. */
export async function installDefinitions(
  kube: KubeClient,
  clock: Clock,
  definitions: readonly Manifest[],
  options: InstallOptions,
): Promise<void> {
  const kind = KINDS.customResourceDefinition;
  await Promise.all(definitions.map((one) => applyManifest(kube, kind, one, options)));
  await Promise.all(
    definitions.map(async ({ metadata: { name } }) => {
      await waitFor({
        what: `the definition ${name} to be established`,
        clock,
        timeoutMs: ESTABLISH_TIMEOUT_MS,
        intervalMs: POLL_MS,
        signal: options.signal,
        code: 'SIM_API',
        probe: async () => (isEstablished(await kube.get(kind, name)) ? true : undefined),
      });
    }),
  );
  await Promise.all(definitions.map((one) => firstCreation(kube, one, options.signal)));
}

function isEstablished(object: unknown): boolean {
  const status = isRecord(object) ? object['status'] : undefined;
  const conditions = isRecord(status) ? status['conditions'] : undefined;
  return (
    Array.isArray(conditions) &&
    conditions.some((c) => isRecord(c) && c['type'] === 'Established' && c['status'] === 'True')
  );
}

/**
 * The API server holds back the first creation of a new kind for two seconds. The operator's first object shall not
 * wait for that: an empty one, which is refused, does.
 */
async function firstCreation(
  kube: KubeClient,
  { spec }: Manifest,
  signal: AbortSignal,
): Promise<void> {
  const path = isRecord(spec) ? creationPath(spec) : undefined;
  if (path === undefined) return;
  const response = await kube.transport.send({
    method: 'POST',
    path,
    query: { dryRun: 'All' },
    body: '{}',
    signal,
  });
  await response.body.dump();
}

function creationPath({
  group,
  names,
  scope,
  versions,
}: Record<string, unknown>): string | undefined {
  const [version] = Array.isArray(versions) ? (versions as { readonly name: string }[]) : [];
  const plural = isRecord(names) ? names['plural'] : undefined;
  if (!version || typeof group !== 'string' || typeof plural !== 'string') return undefined;
  const namespaced = scope === 'Namespaced';
  const kind = { group, version: version.name, plural, kind: '', namespaced };
  return collectionPath(kind, namespaced ? 'default' : undefined);
}
