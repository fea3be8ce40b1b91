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
}

/** Samples CPU and memory of every process of the run, and notices when one ends. */
export class ProcessWatch {
  readonly #host: Host;
  readonly #recorder: Recorder;
  readonly #watched: readonly WatchedProcess[];
  readonly #stop = new AbortController();
  readonly #reported = new Set<number>();
  #done: Promise<void> = Promise.resolve();

  constructor(host: Host, recorder: Recorder, watched: readonly WatchedProcess[]) {
    this.#host = host;
    this.#recorder = recorder;
    this.#watched = watched;
  }

  start(): void {
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
    await this.#sample(); // so that what the last second used is not lost
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let next = 0; !signal.aborted;) {
      await this.#lookForExits();
      if (this.#host.clock.now() >= next) {
        next = this.#host.clock.now() + SAMPLE_EVERY_MS;
        await this.#sample();
      }
      await this.#host.clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined); // stopping ends the pause
    }
  }

  async #lookForExits(): Promise<void> {
    for (const { process, onExit } of this.#watched) {
      const identity = process();
      if (!identity || this.#reported.has(identity.pid)) continue;
      if (await this.#host.processes.isRunning(identity)) continue;
      // Between our question and the answer a restart may have begun: only what is still named has ended unasked.
      if (process()?.pid !== identity.pid || this.#stop.signal.aborted) continue;
      this.#reported.add(identity.pid);
      onExit(identity);
    }
  }

  async #sample(): Promise<void> {
    const own = { component: 'sim', pid: this.#host.processes.own.pid };
    const others = this.#watched.flatMap(({ component, process }) => {
      const identity = process();
      return identity ? [{ component, pid: identity.pid }] : [];
    });
    const samples = await Promise.all(
      [own, ...others].map(async ({ component, pid }) => {
        const usage = await this.#host.processes.usage(pid);
        return usage ? { component, pid, ...usage } : undefined;
      }),
    );
    this.#recorder.record({
      kind: 'usage',
      samples: samples.filter((sample) => sample !== undefined),
    });
  }
}
