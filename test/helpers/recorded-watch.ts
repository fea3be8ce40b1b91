import type { Clock } from '../../src/sim/base/clock.ts';
import { realClock } from '../../src/sim/host/real-clock.ts';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { KINDS, type KubeObject } from '../../src/sim/kube/objects.ts';
import {
  Reflector,
  type ReflectorHandler,
  type ReflectorOptions,
  type WatchEventType,
} from '../../src/sim/kube/reflector.ts';

/** A reflector on nodes with a handler that keeps what it is told, in words and in figures. */
export class RecordedWatch implements ReflectorHandler {
  /** One word or two for each thing told: `first page`, `page`, `listed 7`, `ADDED sim-1`, `resume`, `gap`. */
  readonly told: string[] = [];
  readonly events: { readonly name: string; readonly arrivedAt: number }[] = [];
  readonly resumes: { readonly reason: string; readonly durationMs: number }[] = [];
  readonly gaps: { readonly reason: string; readonly since: number; readonly at: number }[] = [];
  /** The names that exist, going by what was told. */
  readonly present = new Set<string>();
  readonly reflector: Reflector;
  /** Called with every event, after it was kept. */
  onEachEvent: () => void = () => undefined;
  #listed = new Set<string>();

  constructor(
    client: KubeClient,
    options: Partial<ReflectorOptions> = {},
    clock: Clock = realClock,
  ) {
    this.reflector = new Reflector(client, clock, { kind: KINDS.node, ...options }, this);
  }

  onPage(items: readonly KubeObject[], isFirst: boolean): void {
    this.told.push(isFirst ? 'first page' : 'page');
    if (isFirst) this.#listed = new Set();
    for (const { metadata } of items) this.#listed.add(metadata.name);
  }

  onListed({ resourceVersion }: { readonly resourceVersion: string }): void {
    this.told.push(`listed ${resourceVersion}`);
    this.present.clear();
    for (const name of this.#listed) this.present.add(name);
  }

  onEvent(type: WatchEventType, { metadata: { name } }: KubeObject, arrivedAt: number): void {
    this.told.push(`${type} ${name}`);
    this.events.push({ name, arrivedAt });
    if (type === 'DELETED') this.present.delete(name);
    else this.present.add(name);
    this.onEachEvent();
  }

  onResume(reason: string, durationMs: number): void {
    this.told.push('resume');
    this.resumes.push({ reason, durationMs });
  }

  onGap(reason: string, since: number): void {
    this.told.push('gap');
    this.gaps.push({ reason, since, at: realClock.now() });
  }
}
