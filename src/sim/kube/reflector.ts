import type { Clock } from '../base/clock.ts';
import { reasonOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { ResourceKind } from '../model/operator-profile.ts';
import { apiError, type KubeClient } from './client.ts';
import { hasStatus } from './api-error.ts';
import { collectionPath, type KubeObject } from './objects.ts';
import { watchLines } from './watch-lines.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** What a reflector tells. All times are of its clock. Nothing it is told may throw. */
export interface ReflectorHandler {
  /** A page of a full list. */
  onPage(items: readonly KubeObject[]): void;
  /** The list is complete: what was not in it does not exist. */
  onListed(listed: { readonly resourceVersion: string; readonly durationMs: number }): void;
  onEvent(type: WatchEventType, object: KubeObject, arrivedAt: number): void;
  /** The watch was taken up where it had ended; nothing was missed. */
  onResume(reason: string, durationMs: number): void;
  /** The watch was lost and a full list follows. `since` is when the last event or bookmark had come. */
  onGap(reason: string, since: number): void;
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

/** Why a watch ended. */
type Ending =
  | { readonly kind: 'resumable'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

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
    await this.#list();
    void this.#follow();
  }

  stop(): void {
    this.#stop.abort();
  }

  async #list(): Promise<void> {
    const began = this.#clock.now();
    const { kind, namespace, labelSelector, fieldSelector } = this.#options;
    for await (const page of this.#client.pages(kind, {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      signal: this.#stop.signal,
    })) {
      this.#handler.onPage(page.items);
      this.#version = page.metadata.resourceVersion ?? '';
    }
    this.#lastHeard = this.#clock.now();
    this.#handler.onListed({
      resourceVersion: this.#version,
      durationMs: this.#lastHeard - began,
    });
  }

  async #follow(): Promise<void> {
    let failures = 0;
    while (!this.#stopped()) {
      const connected = { yes: false };
      const ending = await this.#watchOnce(connected);
      if (this.#stopped()) return;
      failures = connected.yes ? 0 : failures + 1;
      const endedAt = this.#clock.now();
      if (ending.kind === 'lost') await this.#relist(ending.reason);
      else if (connected.yes) this.#resumeReason = { reason: ending.reason, endedAt };
      if (failures > 0) await this.#pause(Math.min(LONGEST_WAIT_MS, 20 * 2 ** failures));
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
      } catch {
        // The server is away: the gap, which is already recorded, grows until it is back.
        await this.#pause(Math.min(LONGEST_WAIT_MS, 20 * 2 ** failures));
      }
    }
  }

  async #watchOnce(connected: { yes: boolean }): Promise<Ending> {
    const idle = new IdleTimer(this.#clock, this.#options.idleTimeoutMs ?? IDLE_TIMEOUT_MS);
    const signal = AbortSignal.any([this.#stop.signal, idle.signal]);
    try {
      const body = await this.#openWatch(signal);
      connected.yes = true;
      this.#tellResume();
      for await (const { line, arrivedAt } of watchLines(body, () => this.#clock.now())) {
        idle.restart();
        this.#lastHeard = arrivedAt;
        const lost = this.#take(line, arrivedAt);
        if (lost !== undefined) return { kind: 'lost', reason: lost };
      }
      return { kind: 'resumable', reason: 'closed by the server' };
    } catch (error) {
      if (hasStatus(error, 410)) return { kind: 'lost', reason: reasonOf(error) };
      if (idle.signal.aborted)
        return { kind: 'resumable', reason: 'no event or bookmark for too long' };
      return { kind: 'resumable', reason: reasonOf(error) };
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
    const object = event['object'] as unknown as KubeObject;
    switch (event['type']) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        this.#version = object.metadata.resourceVersion ?? this.#version;
        this.#handler.onEvent(event['type'], object, arrivedAt);
        return undefined;
      case 'BOOKMARK':
        this.#version = object.metadata.resourceVersion ?? this.#version;
        return undefined;
      default:
        return `the server said ${JSON.stringify(event).slice(0, 200)}`;
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
    await this.#clock.sleep(ms, this.#stop.signal).catch(() => undefined); // stopping ends the pause
  }
}

/** Aborts its signal when it was not restarted for long enough. */
class IdleTimer {
  readonly #controller = new AbortController();
  readonly #stopTicking: () => void;
  readonly #clock: Clock;
  #heard: number;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#heard = clock.now();
    this.#stopTicking = clock.every(Math.max(10, timeoutMs / 10), () => {
      if (clock.now() - this.#heard >= timeoutMs) this.#controller.abort();
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    this.#heard = this.#clock.now();
  }

  stop(): void {
    this.#stopTicking();
  }
}
