import { isRecord, sameJson } from '../../src/sim/base/json.ts';
import type { KubeObject } from '../../src/sim/kube/objects.ts';
import type { WatchEventType } from '../../src/sim/kube/reflector.ts';
import { failure, type FakeAnswer } from './fake-objects.ts';

export interface LiveEvent {
  readonly version: number;
  readonly collection: string;
  readonly type: WatchEventType;
  readonly object: KubeObject;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Objects whose every change is an event. As with a real server, a merge patch that changes nothing makes no new
 * version and no event, and the status is written by its own path only.
 */
export class LiveObjects {
  readonly events: LiveEvent[] = [];
  readonly #collections = new Map<string, Map<string, KubeObject>>();
  readonly #onEvent: (event: LiveEvent) => void;
  #version = 1;

  constructor(onEvent: (event: LiveEvent) => void) {
    this.#onEvent = onEvent;
  }

  get version(): number {
    return this.#version;
  }

  all(collection: string): readonly KubeObject[] {
    return [...(this.#collections.get(collection)?.values() ?? [])];
  }

  get(collection: string, name: string): KubeObject | undefined {
    return this.#collections.get(collection)?.get(name);
  }

  /** Creates an object, or replaces it. */
  put(collection: string, name: string, fields: Fields): KubeObject {
    const type = this.get(collection, name) ? 'MODIFIED' : 'ADDED';
    const metadata = isRecord(fields['metadata']) ? fields['metadata'] : {};
    return this.#write(type, collection, { ...fields, metadata: { ...metadata, name } });
  }

  remove(collection: string, name: string): FakeAnswer {
    const object = this.get(collection, name);
    if (!object) return notFound(collection, name);
    this.#collections.get(collection)?.delete(name);
    this.#tell('DELETED', collection, object);
    return { status: 200, body: { kind: 'Status', status: 'Success' } };
  }

  create(collection: string, object: KubeObject): FakeAnswer {
    const { name } = object.metadata;
    if (this.get(collection, name))
      return failure(409, 'AlreadyExists', `"${name}" already exists`);
    return { status: 201, body: this.put(collection, name, object) };
  }

  mergePatch(collection: string, name: string, patch: Fields, isStatus: boolean): FakeAnswer {
    const before = this.get(collection, name);
    if (!before) return notFound(collection, name);
    const { status, ...rest } = patch;
    const merged = merge(before, isStatus ? { status } : rest) as KubeObject;
    const body = sameJson(merged, before) ? before : this.#write('MODIFIED', collection, merged);
    return { status: 200, body };
  }

  #write(type: WatchEventType, collection: string, fields: KubeObject): KubeObject {
    const byName = this.#collections.get(collection) ?? new Map<string, KubeObject>();
    this.#collections.set(collection, byName);
    const object = structuredClone(fields);
    byName.set(object.metadata.name, object);
    return this.#tell(type, collection, object);
  }

  #tell(type: WatchEventType, collection: string, object: KubeObject): KubeObject {
    Object.assign(object.metadata, { resourceVersion: String(++this.#version) });
    const event = { version: this.#version, collection, type, object: structuredClone(object) };
    this.events.push(event);
    this.#onEvent(event);
    return object;
  }
}

const notFound = (collection: string, name: string): FakeAnswer =>
  failure(404, 'NotFound', `${collection} "${name}" not found`);

/** RFC 7386. */
function merge(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const before = isRecord(target) ? target : {};
  const kept = Object.entries(before).filter(([key]) => !(key in patch));
  const changed = Object.entries(patch)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => [key, merge(before[key], value)] as const);
  return Object.fromEntries([...kept, ...changed]);
}
