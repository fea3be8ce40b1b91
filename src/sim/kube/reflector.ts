import type { Clock } from '../base/clock.ts';
import { pause } from '../base/wait.ts';
import { reasonOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { ResourceKind } from '../model/operator-profile.ts';
import { apiError, type KubeClient } from './client.ts';
import { ApiError, isGone } from './api-error.ts';
import { collectionPath, type KubeObject } from './objects.ts';
import { IdleTimer } from './idle-timer.ts';
import { restartedIfGone } from './retry.ts';
import { watchLines } from './watch-lines.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** What a reflector tells. All times are of its clock. None of it should throw: the watch would be lost. */
export interface ReflectorHandler {
  /** A page of a full list. The first one voids the pages of a list before it that was never completed. */
  onPage(items: readonly KubeObject[], isFirst: boolean): void;
  /** The list is complete: what was not in it does not exist. */
  onListed(listed: { readonly resourceVersion: string; readonly durationMs: number }): void;
  onEvent(type: WatchEventType, object: KubeObject, arrivedAt: number): void;
  /** The watch was taken up where it had ended: nothing was missed, unless a gap follows at once. */
  onResume(reason: string, durationMs: number): void;
  /** The watch was lost and a full list follows. `since` is when the last event or bookmark had come. */
  onGap(reason: string, since: number): void;
  /** The kind can be neither watched nor listed for now. Told for each attempt; `onResume` or `onListed` ends it. */
  onTrouble?(error: unknown): void;
}

export interface ReflectorOptions {
  readonly kind: ResourceKind;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** A watch without an event or a bookmark for so long is dead. Bookmarks come about once a minute. */
  readonly idleTimeoutMs?: number;
}

const IDLE_TIMEOUT_MS = 90_000;
/** The server ends a watch by itself after about this time. */
const WATCH_SECONDS = 290;
const LONGEST_WAIT_MS = 1000;

/** How a watch ended. */
interface Ending {
  readonly reason: string;
  /** What came after can only be had by a new list. */
  readonly isLost: boolean;
  /** No event and no bookmark came: to open the next watch at once could become a storm. */
  readonly isFruitless: boolean;
  readonly retryAfterMs?: number | undefined;
  /** Why the watch could not be opened, or broke before anything came. */
  readonly error?: unknown;
}

/**
 * Lists a kind and then follows it for as long as it is wanted. A closed watch goes on where it ended; only when the
 * server cannot do that is there a gap, and a new list.
 */
export class Reflector {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #options: ReflectorOptions;
  readonly #handler: ReflectorHandler;
  readonly #stop = new AbortController();
  #version = '';
  #lastHeard = 0;

  constructor(
    client: KubeClient,
    clock: Clock,
    options: ReflectorOptions,
    handler: ReflectorHandler,
  ) {
    this.#client = client;
    this.#clock = clock;
    this.#options = options;
    this.#handler = handler;
  }

  /** Resolves when the first list is complete; goes on watching until `stop`. */
  async start(): Promise<void> {
    await restartedIfGone(() => this.#list());
    void this.#follow();
  }

  stop(): void {
    this.#stop.abort();
  }

  async #list(): Promise<void> {
    const began = this.#clock.now();
    let isFirst = true;
    const { kind, namespace, labelSelector, fieldSelector } = this.#options;
    for await (const page of this.#client.pages(kind, {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      signal: this.#stop.signal,
    })) {
      this.#handler.onPage(page.items, isFirst);
      isFirst = false;
      this.#version = page.metadata.resourceVersion ?? '';
    }
    this.#lastHeard = began; // the list shows the state at its begin
    this.#handler.onListed({
      resourceVersion: this.#version,
      durationMs: this.#clock.now() - began,
    });
  }

  async #follow(): Promise<void> {
    let fruitless = 0;
    while (!this.#stopped()) {
      const ending = await this.#watchOnce();
      if (this.#stopped()) return;
      fruitless = ending.isFruitless ? fruitless + 1 : 0;
      if (ending.error !== undefined) this.#handler.onTrouble?.(ending.error);
      if (ending.isLost) await this.#relist(ending.reason);
      else this.#resumeReason ??= { reason: ending.reason, endedAt: this.#clock.now() };
      if (fruitless > 0)
        await this.#pause(Math.max(waitAfter(fruitless), ending.retryAfterMs ?? 0));
    }
  }

  /** Set when a watch ended; told once the next one is open. */
  #resumeReason: { readonly reason: string; readonly endedAt: number } | undefined;

  async #relist(reason: string): Promise<void> {
    this.#resumeReason = undefined;
    this.#handler.onGap(reason, this.#lastHeard);
    for (let failures = 1; !this.#stopped(); failures++) {
      try {
        await this.#list();
        return;
      } catch (error) {
        // The server is away: the gap, which is already recorded, grows until it is back.
        if (!this.#stopped()) this.#handler.onTrouble?.(error);
        await this.#pause(waitAfter(failures));
      }
    }
  }

  async #watchOnce(): Promise<Ending> {
    const idle = new IdleTimer(this.#clock, this.#options.idleTimeoutMs ?? IDLE_TIMEOUT_MS);
    const signal = AbortSignal.any([this.#stop.signal, idle.signal]);
    let isFruitless = true;
    try {
      const body = await this.#openWatch(signal);
      this.#tellResume();
      for await (const { line, arrivedAt } of watchLines(body, () => this.#clock.now())) {
        if (this.#stopped()) break;
        const lost = this.#take(line, arrivedAt);
        if (lost !== undefined) return { reason: lost, isLost: true, isFruitless };
        idle.restart();
        this.#lastHeard = arrivedAt;
        isFruitless = false;
      }
      return { reason: 'closed by the server', isLost: false, isFruitless };
    } catch (error) {
      const reason = idle.signal.aborted ? 'no event or bookmark for too long' : reasonOf(error);
      const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
      const isLost = isGone(error);
      const isTrouble = isFruitless && !isLost && !idle.signal.aborted;
      return { reason, isLost, isFruitless, retryAfterMs, ...(isTrouble ? { error } : {}) };
    } finally {
      idle.stop();
    }
  }

  async #openWatch(signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const { kind, namespace, labelSelector, fieldSelector } = this.#options;
    const request = {
      method: 'GET',
      path: collectionPath(kind, namespace),
      query: {
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion: this.#version,
        timeoutSeconds: WATCH_SECONDS,
        labelSelector,
        fieldSelector,
      },
      signal,
    } as const;
    const response = await this.#client.transport.open(request);
    if (response.status >= 300) throw apiError(request, response, await response.body.text());
    return response.body;
  }

  /** Answers why the watch is lost, if it is. */
  #take(line: string, arrivedAt: number): string | undefined {
    let event: unknown;
    try {
      event = JSON.parse(line);
    } catch (error) {
      return `unreadable event: ${reasonOf(error)}`;
    }
    if (!isRecord(event) || !isRecord(event['object'])) return 'an event without an object';
    switch (event['type']) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
      case 'BOOKMARK':
        return this.#takeObject(event['type'], event['object'], arrivedAt);
      default:
        return `the server said ${JSON.stringify(event).slice(0, 200)}`;
    }
  }

  #takeObject(
    type: WatchEventType | 'BOOKMARK',
    raw: Record<string, unknown>,
    arrivedAt: number,
  ): string | undefined {
    if (!isRecord(raw['metadata'])) return `a ${type} event whose object has no metadata`;
    const object = raw as unknown as KubeObject;
    this.#version = object.metadata.resourceVersion ?? this.#version;
    if (type === 'BOOKMARK') return undefined;
    try {
      this.#handler.onEvent(type, object, arrivedAt);
      return undefined;
    } catch (error) {
      return `an event could not be taken in: ${reasonOf(error)}`;
    }
  }

  #tellResume(): void {
    const ended = this.#resumeReason;
    this.#resumeReason = undefined;
    if (ended) this.#handler.onResume(ended.reason, this.#clock.now() - ended.endedAt);
  }

  #stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #pause(ms: number): Promise<void> {
    await pause(this.#clock, ms, this.#stop.signal);
  }
}

const waitAfter = (failures: number): number => Math.min(LONGEST_WAIT_MS, 20 * 2 ** failures);
