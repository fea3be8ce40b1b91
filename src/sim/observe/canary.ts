import type { Clock } from '../base/clock.ts';
import { pause } from '../base/wait.ts';
import type { LoopDelay } from '../host/loop-delay.ts';
import type { KubeClient } from '../kube/client.ts';
import { KINDS, type KubeObject } from '../kube/objects.ts';
import { Reflector } from '../kube/reflector.ts';
import { SIM_NAMESPACE } from '../model/labels.ts';
import type { Recorder } from './recorder.ts';

const EVERY_MS = 200;
/** An answer later than this is a stall of the API server, and is told as one. */
const STALL_MS = 2000;
/** An event later than this is not waited for. */
const LOST_MS = 5000;

interface Write {
  readonly value: string;
  readonly sentAt: number;
  answeredAt: number | undefined;
  seenAt: number | undefined;
}

/**
 * Writes one small object five times a second and watches it, to know how late events are seen: the error of every
 * figure of the run. The API's own slowness is told apart from ours.
 */
export class Canary {
  readonly #kube: KubeClient;
  readonly #clock: Clock;
  readonly #recorder: Recorder;
  readonly #loopDelay: LoopDelay;
  readonly #name: string;
  readonly #reflector: Reflector;
  readonly #stop = new AbortController();
  #current: Write | undefined;
  #count = 0;
  #done: Promise<void> = Promise.resolve();

  constructor(
    kube: KubeClient,
    clock: Clock,
    recorder: Recorder,
    loopDelay: LoopDelay,
    runId: string,
  ) {
    this.#kube = kube;
    this.#clock = clock;
    this.#recorder = recorder;
    this.#loopDelay = loopDelay;
    this.#name = `canary-${runId}`;
    const seen = (object: KubeObject, at: number): void => {
      this.#see(object, at);
    };
    this.#reflector = new Reflector(
      kube,
      clock,
      {
        kind: KINDS.configMap,
        namespace: SIM_NAMESPACE,
        fieldSelector: `metadata.name=${this.#name}`,
      },
      {
        onPage: () => undefined,
        onListed: () => undefined,
        onEvent: (_, object, at) => {
          seen(object, at);
        },
        onResume: () => undefined,
        onGap: () => undefined,
      },
    );
  }

  /** The object must not exist yet. Its namespace must. */
  async start(labels: Readonly<Record<string, string>>): Promise<void> {
    const metadata = { name: this.#name, namespace: SIM_NAMESPACE, labels };
    await this.#kube.create(
      KINDS.configMap,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { count: '0' } },
      { name: this.#name, namespace: SIM_NAMESPACE },
    );
    await this.#reflector.start();
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#reflector.stop();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const due = this.#clock.now() + EVERY_MS;
      await this.#writeOnce(signal);
      await pause(this.#clock, Math.max(0, due - this.#clock.now()), signal);
    }
  }

  async #writeOnce(signal: AbortSignal): Promise<void> {
    const value = String(++this.#count);
    const write: Write = {
      value,
      sentAt: this.#clock.now(),
      answeredAt: undefined,
      seenAt: undefined,
    };
    this.#current = write;
    try {
      await this.#kube.patch(
        KINDS.configMap,
        this.#name,
        'merge',
        { data: { count: value } },
        {
          namespace: SIM_NAMESPACE,
          signal,
        },
      );
    } catch {
      if (!signal.aborted) this.#stall(write.sentAt, 'the API server did not answer');
      return;
    }
    write.answeredAt = this.#clock.now();
    if (write.answeredAt - write.sentAt > STALL_MS)
      this.#stall(write.sentAt, 'the API server answered very late');
    await this.#awaitEvent(write, signal);
    if (!signal.aborted) this.#record(write);
  }

  async #awaitEvent(write: Write, signal: AbortSignal): Promise<void> {
    const deadline = this.#clock.now() + LOST_MS;
    while (write.seenAt === undefined && this.#clock.now() < deadline && !signal.aborted)
      await pause(this.#clock, 2, signal);
  }

  #see(object: KubeObject, at: number): void {
    const data = object['data'] as { readonly count?: string } | undefined;
    const write = this.#current;
    if (write && write.seenAt === undefined && data?.count === write.value) write.seenAt = at;
  }

  #record({ sentAt, answeredAt, seenAt }: Write): void {
    if (answeredAt === undefined) return;
    this.#recorder.record({
      kind: 'canary',
      observationMs: seenAt === undefined ? null : Math.max(0, seenAt - answeredAt),
      writeMs: answeredAt - sentAt,
      loopDelayMs: this.#loopDelay.takeWorstMs(),
    });
  }

  #stall(sentAt: number, what: string): void {
    this.#recorder.record({
      kind: 'stall',
      fromMs: this.#recorder.toRunMs(sentAt),
      toMs: this.#recorder.now(),
      what,
    });
  }
}
