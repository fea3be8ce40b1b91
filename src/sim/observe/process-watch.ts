import { pause } from '../base/wait.ts';
import type { Throttling } from '../host/cgroups.ts';
import type { Host } from '../host/host.ts';
import type { ProcessIdentity } from '../host/processes.ts';
import type { Recorder } from './recorder.ts';

const LOOK_EVERY_MS = 200;
const SAMPLE_EVERY_MS = 1000;

export interface WatchedProcess {
  readonly component: string;
  /** Undefined while it is not running on purpose. */
  readonly process: () => ProcessIdentity | undefined;
  /** Called once when the process has ended and `process` still names it. */
  readonly onExit: (process: ProcessIdentity) => void;
  /** How often it had to wait for CPU time; left out where that is not limited. */
  readonly throttling?: (() => Promise<Throttling | undefined>) | undefined;
}

interface Found extends Pick<WatchedProcess, 'component' | 'onExit' | 'throttling'> {
  readonly identity: ProcessIdentity;
}

/** Notices when a process of the run ends, and samples CPU and memory of each. */
export class ProcessWatch {
  readonly #host: Host;
  readonly #recorder: Recorder;
  readonly #watched: WatchedProcess[] = [];
  readonly #stop = new AbortController();
  readonly #reported = new Set<number>();
  #isSampling = false;
  #done: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(host: Host, recorder: Recorder) {
    this.#host = host;
    this.#recorder = recorder;
  }

  /** Watches more. A process that is named twice goes by the later name: the controller may be a part of the cluster. */
  add(more: readonly WatchedProcess[]): void {
    this.#watched.push(...more);
  }

  start(): void {
    this.#done = this.#run();
  }

  /** From here on it is measured what everybody uses. */
  startSampling(): void {
    this.#isSampling = true;
  }

  /** What ends from now on has ended because it was asked to. */
  stop(): Promise<void> {
    return (this.#stopped ??= (async () => {
      this.#stop.abort();
      await this.#done;
      await this.#sample(); // so that what the last second used is not lost
    })());
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let next = 0; !signal.aborted;) {
      await this.#lookForExits();
      if (this.#host.clock.now() >= next && this.#isSampling) {
        next = this.#host.clock.now() + SAMPLE_EVERY_MS;
        await this.#sample();
      }
      await pause(this.#host.clock, LOOK_EVERY_MS, signal);
    }
  }

  async #lookForExits(): Promise<void> {
    for (const { identity, onExit } of this.#found()) {
      if (this.#reported.has(identity.pid)) continue;
      if (await this.#host.processes.isRunning(identity)) continue;
      // Between our question and the answer a restart may have begun: only what is still named has ended unasked.
      const isNamed = this.#found().some((one) => one.identity.pid === identity.pid);
      if (!isNamed || this.#stop.signal.aborted) continue;
      this.#reported.add(identity.pid);
      onExit(identity);
    }
  }

  #found(): readonly Found[] {
    const byPid = new Map<number, Found>();
    for (const { process, ...named } of this.#watched) {
      const identity = process();
      if (identity) byPid.set(identity.pid, { ...named, identity });
    }
    return [...byPid.values()];
  }

  async #sample(): Promise<void> {
    if (!this.#isSampling) return;
    const own = { component: 'sim', identity: this.#host.processes.own, throttling: undefined };
    const samples = await Promise.all(
      [own, ...this.#found()].map(async ({ component, identity: { pid }, throttling }) => {
        const usage = await this.#host.processes.usage(pid);
        const throttled = await throttling?.();
        return usage && { component, pid, ...usage, ...(throttled ? { throttled } : {}) };
      }),
    );
    this.#recorder.record({
      kind: 'usage',
      samples: samples.filter((sample) => sample !== undefined),
    });
  }
}
