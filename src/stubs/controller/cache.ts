import type * as z from 'zod';
import type { Clock } from '../../sim/base/clock.ts';
import type { KubeClient } from '../../sim/kube/client.ts';
import type { KubeObject } from '../../sim/kube/objects.ts';
import {
  Reflector,
  type ReflectorHandler,
  type ReflectorOptions,
  type WatchEventType,
} from '../../sim/kube/reflector.ts';

/** The objects of one kind, kept up to date, trimmed to a shape. What does not fit the shape is passed over. */
export class Cache<T> implements ReflectorHandler {
  readonly #objects = new Map<string, T>();
  readonly #shape: z.ZodType<T>;
  readonly #onChange: () => void;
  readonly #reflector: Reflector;
  #listed = new Set<string>();

  constructor(
    kube: KubeClient,
    clock: Clock,
    options: ReflectorOptions,
    shape: z.ZodType<T>,
    onChange: () => void,
  ) {
    this.#shape = shape;
    this.#onChange = onChange;
    this.#reflector = new Reflector(kube, clock, options, this);
  }

  start(): Promise<void> {
    return this.#reflector.start();
  }

  stop(): void {
    this.#reflector.stop();
  }

  get(name: string): T | undefined {
    return this.#objects.get(name);
  }

  all(): readonly T[] {
    return [...this.#objects.values()];
  }

  names(): readonly string[] {
    return [...this.#objects.keys()];
  }

  onPage(items: readonly KubeObject[], isFirst: boolean): void {
    if (isFirst) this.#listed = new Set();
    for (const item of items) {
      this.#listed.add(item.metadata.name);
      this.#set(item);
    }
  }

  onListed(): void {
    for (const name of this.#objects.keys())
      if (!this.#listed.has(name)) this.#objects.delete(name);
    this.#onChange();
  }

  onEvent(type: WatchEventType, object: KubeObject): void {
    if (type === 'DELETED') this.#objects.delete(object.metadata.name);
    else this.#set(object);
    this.#onChange();
  }

  onResume(): void {
    // nothing was missed
  }

  onGap(): void {
    // a full list follows, and sets everything right
  }

  #set(object: KubeObject): void {
    const parsed = this.#shape.safeParse(object);
    if (parsed.success) this.#objects.set(object.metadata.name, parsed.data);
  }
}
