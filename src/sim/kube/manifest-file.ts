import { parseAllDocuments } from 'yaml';
import { isRecord } from '../base/json.ts';
import { reasonOf, SimError } from '../base/errors.ts';
import { waitFor } from '../base/wait.ts';
import type { Host } from '../host/host.ts';
import type { ResourceKind } from '../model/operator-profile.ts';
import { isNotFound } from './api-error.ts';
import type { KubeClient } from './client.ts';
import { applyManifest, type InstallOptions, type Manifest } from './install.ts';

/** An object of a file, which says what it is. */
export type ManifestObject = Manifest & { readonly apiVersion: string; readonly kind: string };

const KIND_TIMEOUT_MS = 10_000;
const GONE_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** The objects of a file of YAML documents, lists taken apart. Throws SIM_MANIFEST, which says what and where. */
export async function readManifest(
  { files }: Pick<Host, 'files'>,
  path: string,
): Promise<readonly ManifestObject[]> {
  const text = await files.readTextIfAny(path);
  if (text === undefined) throw wrong(path, 'there is no such file');
  const objects = parseAllDocuments(text).flatMap((document, i) => {
    const [problem] = document.errors;
    if (problem) throw wrong(path, problem.message.split('\n')[0] ?? problem.message);
    const value: unknown = document.toJS();
    if (value === null) return [];
    const items = isRecord(value) && Array.isArray(value['items']) ? value['items'] : [value];
    return items.map((item) => asObject(item, path, i + 1));
  });
  if (objects.length === 0) throw wrong(path, 'it holds no object');
  return objects;
}

function asObject(value: unknown, path: string, document: number): ManifestObject {
  const metadata = isRecord(value) ? value['metadata'] : undefined;
  const isWhole =
    isRecord(value) &&
    typeof value['apiVersion'] === 'string' &&
    typeof value['kind'] === 'string' &&
    isRecord(metadata) &&
    typeof metadata['name'] === 'string';
  if (!isWhole)
    throw wrong(
      path,
      `document ${document} is no object: expected apiVersion, kind, metadata.name`,
    );
  return value as ManifestObject;
}

const wrong = (path: string, why: string): SimError =>
  new SimError('SIM_MANIFEST', `cannot read the manifest ${path}: ${why}`);

/** Applies the objects in their order. Throws SIM_MANIFEST when the cluster does not take one. */
export async function applyObjects(
  kube: KubeClient,
  objects: readonly ManifestObject[],
  options: InstallOptions & Pick<Host, 'clock'>,
): Promise<void> {
  for (const object of objects)
    await refusalNamed(object, options.signal, async () => {
      const of = await kindOf(kube, object, options);
      await applyManifest(kube, of, inNamespace(object, of), options);
    });
}

/** Deletes the objects, the last first, and waits until they are gone. */
export async function deleteObjects(
  kube: KubeClient,
  objects: readonly ManifestObject[],
  options: InstallOptions & Pick<Host, 'clock'>,
): Promise<void> {
  const { signal } = options;
  for (const object of objects.toReversed())
    await refusalNamed(object, signal, async () => {
      const of = await kindOf(kube, object, options);
      const { name, namespace } = inNamespace(object, of).metadata as {
        name: string;
        namespace?: string;
      };
      await kube.delete(of, name, { signal, ...(namespace === undefined ? {} : { namespace }) });
      await waitFor({
        what: `${nameOf(object)} to be gone`,
        clock: options.clock,
        timeoutMs: GONE_TIMEOUT_MS,
        intervalMs: POLL_MS,
        signal,
        code: 'SIM_MANIFEST',
        probe: async () => ((await kube.get(of, name, namespace, { signal })) ? undefined : true),
      });
    });
}

async function refusalNamed(
  object: ManifestObject,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SimError) throw error;
    throw new SimError('SIM_MANIFEST', `${nameOf(object)}: ${reasonOf(error)}`, { cause: error });
  }
}

const nameOf = ({ kind, metadata }: ManifestObject): string => `${kind} ${metadata.name}`;

function inNamespace(object: Manifest, { namespaced }: ResourceKind): Manifest {
  if (!namespaced || typeof object.metadata['namespace'] === 'string') return object;
  return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
}

/** Asks the API server where objects of this kind are; of a definition that was just made, until it knows. */
function kindOf(
  kube: KubeClient,
  { apiVersion, kind }: ManifestObject,
  { signal, clock }: InstallOptions & Pick<Host, 'clock'>,
): Promise<ResourceKind> {
  const [group, version] = splitVersion(apiVersion);
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return waitFor({
    what: `the API server to know ${kind} of ${apiVersion}`,
    clock,
    timeoutMs: KIND_TIMEOUT_MS,
    intervalMs: POLL_MS,
    signal,
    code: 'SIM_MANIFEST',
    probe: async () => {
      const found = (await resourcesAt(kube, path, signal)).find(
        (one) => one.kind === kind && !one.name.includes('/'),
      );
      if (!found) return undefined;
      return { group, version, plural: found.name, kind: found.kind, namespaced: found.namespaced };
    },
  });
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

async function resourcesAt(
  kube: KubeClient,
  path: string,
  signal: AbortSignal,
): Promise<readonly ApiResource[]> {
  try {
    const list = JSON.parse(await kube.getText(path, { signal })) as {
      readonly resources?: readonly ApiResource[];
    };
    return list.resources ?? [];
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

function splitVersion(apiVersion: string): readonly [string, string] {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? ['', first] : [first, second];
}
