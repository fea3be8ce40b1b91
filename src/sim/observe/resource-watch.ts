import type { Clock } from '../base/clock.ts';
import type { RunMs } from '../base/units.ts';
import type { KubeClient } from '../kube/client.ts';
import type { KubeObject } from '../kube/objects.ts';
import { Reflector, type ReflectorHandler, type WatchEventType } from '../kube/reflector.ts';
import { objectKey, type ObjectStore } from '../ledger/object-store.ts';
import type { Observation } from '../model/history.ts';
import type { ObservedResource, Projection } from '../model/operator-profile.ts';
import { projectIfShaped } from './project-if-shaped.ts';

/** Where a watch puts what it sees. */
export interface WatchSink {
  /** The objects as they are known so far. */
  readonly fold: { readonly store: ObjectStore };
  now(): RunMs;
  /** Milliseconds of the clock as milliseconds of the run. */
  toRunMs(at: number): RunMs;
  /** Takes in what was observed; now, or when it arrived. */
  record(observation: Observation, arrivedAt?: number): void;
  /** A resource cannot be followed for now. A resume or a gap tells the end of that. */
  noteTrouble?(resource: string, error: unknown): void;
}

interface Identity {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** The identity of an object, and what is kept of it. */
interface Trimmed extends Identity {
  readonly projection: Projection;
}

/** Records every change of one kind, trimmed. */
export class ResourceWatch implements ReflectorHandler {
  readonly #resource: ObservedResource;
  readonly #recorder: WatchSink;
  readonly #reflector: Reflector;
  #page: Trimmed[] = [];
  #gap: { readonly reason: string; readonly since: number } | undefined;

  constructor(kube: KubeClient, clock: Clock, resource: ObservedResource, recorder: WatchSink) {
    this.#resource = resource;
    this.#recorder = recorder;
    const { kind, labelSelector } = resource;
    const selected = labelSelector === undefined ? { kind } : { kind, labelSelector };
    this.#reflector = new Reflector(kube, clock, selected, this);
  }

  /** Resolves when all objects that there are have been recorded. */
  start(): Promise<void> {
    return this.#reflector.start();
  }

  /** A gap that was still open is recorded too: the recording must not end as if nothing had been missed. */
  stop(): void {
    this.#reflector.stop();
    this.#recordGap();
  }

  onPage(items: readonly KubeObject[], isFirst: boolean): void {
    if (isFirst) this.#page = []; // a list that broke off half-way counts for nothing
    for (const item of items) {
      const trimmed = this.#trim(item);
      if (trimmed) this.#page.push(trimmed);
    }
  }

  onListed({ resourceVersion, durationMs }: { resourceVersion: string; durationMs: number }): void {
    const { id } = this.#resource;
    const listed = this.#page;
    this.#page = [];
    this.#recordGap();
    this.#recorder.record({
      kind: 'listed',
      resource: id,
      count: listed.length,
      resourceVersion,
      durationMs,
    });
    this.#forgetUnlisted(listed);
    for (const object of listed) this.#recordChange(object, undefined);
  }

  onEvent(type: WatchEventType, object: KubeObject, arrivedAt: number): void {
    if (type === 'DELETED') {
      this.#recordDeletion(identityOf(object), arrivedAt); // whatever its shape is
      return;
    }
    const trimmed = this.#trim(object);
    if (trimmed) this.#recordChange(trimmed, arrivedAt);
  }

  onResume(reason: string, durationMs: number): void {
    this.#recorder.record({ kind: 'resume', resource: this.#resource.id, reason, durationMs });
  }

  onGap(reason: string, since: number): void {
    this.#gap = { reason, since };
    this.#page = [];
  }

  onTrouble(error: unknown): void {
    this.#recorder.noteTrouble?.(this.#resource.id, error);
  }

  #recordGap(): void {
    if (!this.#gap) return;
    const { reason, since } = this.#gap;
    this.#gap = undefined;
    const fromMs = this.#recorder.toRunMs(since);
    this.#recorder.record({ kind: 'gap', resource: this.#resource.id, reason, fromMs });
  }

  #recordChange(object: Trimmed, arrivedAt: number | undefined): void {
    const key = objectKey(this.#resource.id, object);
    const { store } = this.#recorder.fold;
    const known = store.get(key);
    if (known && known.uid !== object.uid)
      this.#recordDeletion({ ...object, uid: known.uid }, arrivedAt);
    const delta = store.delta(key, object.projection);
    const changesNothing = !delta && known?.uid === object.uid;
    if (changesNothing && this.#resource.unrest !== 'any-write') return;
    this.#recorder.record(
      {
        kind: 'object',
        op: known?.uid === object.uid ? 'modified' : 'added',
        ...this.#identity(object),
        ...delta,
      },
      arrivedAt,
    );
  }

  #recordDeletion(object: Identity, arrivedAt: number | undefined): void {
    if (!this.#recorder.fold.store.get(objectKey(this.#resource.id, object))) return;
    this.#recorder.record({ kind: 'object', op: 'deleted', ...this.#identity(object) }, arrivedAt);
  }

  #identity({ name, namespace, uid, resourceVersion }: Identity) {
    return {
      resource: this.#resource.id,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      uid,
      resourceVersion,
    };
  }

  /** After a gap: what is not in the new list has gone unseen. */
  #forgetUnlisted(listed: readonly Trimmed[]): void {
    const { id } = this.#resource;
    const seen = new Set(listed.map((object) => objectKey(id, object)));
    for (const { name, namespace, uid } of this.#recorder.fold.store.ofResource(id)) {
      const object = { name, namespace: namespace === '' ? undefined : namespace, uid };
      if (!seen.has(objectKey(id, object)))
        this.#recordDeletion({ ...object, resourceVersion: '' }, undefined);
    }
  }

  /** An object of an unexpected shape is a gap: it must never look like an object that did not change. */
  #trim(object: KubeObject): Trimmed | undefined {
    const { projection, refusal } = projectIfShaped(this.#resource, object);
    if (projection !== undefined) return { ...identityOf(object), projection };
    const fromMs = this.#recorder.now();
    this.#recorder.record({ kind: 'gap', resource: this.#resource.id, reason: refusal, fromMs });
    return undefined;
  }
}

function identityOf({ metadata }: KubeObject): Identity {
  const { name, namespace, uid = '', resourceVersion = '' } = metadata;
  return { name, namespace, uid, resourceVersion };
}
