import { setMaxListeners } from 'node:events';
import type { Clock } from '../../sim/base/clock.ts';
import { reasonOf } from '../../sim/base/errors.ts';
import { pause } from '../../sim/base/wait.ts';
import type { QueueCounts } from './queue-counts.ts';

/** How long a call counts against the limit. One that takes longer hangs, and costs nothing but its socket. */
const PATIENCE_MS = 2000;

interface CallsOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  /** What the calls are about, for the log. */
  readonly what: string;
  readonly queue: QueueCounts;
  /** How long a host is left in peace after a call. */
  readonly restMs: { readonly afterSuccess: number; readonly afterFailure: number };
  /** Called when a host may be called again. */
  readonly onFree: () => void;
  readonly log: (line: string) => void;
}

interface Call {
  readonly host: string;
  readonly work: () => Promise<void>;
}

/**
 * Calls to hosts that nobody waits for: one at a time to each host, and not too many at once, in the order of asking.
 * Hosts that hang hold up nobody, however many they are.
 */
export class Calls {
  readonly #options: CallsOptions;
  readonly #busy = new Set<string>();
  readonly #waiting: Call[] = [];
  #underWay = 0;

  constructor(options: CallsOptions) {
    this.#options = options;
    setMaxListeners(0, options.signal); // every host that rests listens to it
  }

  /** Has the work done soon, unless the host has a call under way or before it, or rests after one. */
  offer(host: string, work: Call['work']): void {
    if (this.#busy.has(host)) return;
    this.#busy.add(host);
    this.#waiting.push({ host, work });
    this.#options.queue.add();
    this.#startWaiting();
  }

  #startWaiting(): void {
    const { concurrency, signal } = this.#options;
    while (this.#underWay < concurrency && !signal.aborted) {
      const call = this.#waiting.shift();
      if (!call) return;
      this.#underWay += 1;
      void this.#carryOut(call);
    }
  }

  async #carryOut({ host, work }: Call): Promise<void> {
    const { clock, signal, restMs, onFree } = this.#options;
    const over = new AbortController();
    const call = this.#hasSucceeded(host, work).finally(() => {
      over.abort();
    });
    await Promise.race([call, pause(clock, PATIENCE_MS, over.signal)]);
    this.#underWay -= 1;
    this.#startWaiting();
    const rest = (await call) ? restMs.afterSuccess : restMs.afterFailure;
    if (rest > 0) await pause(clock, rest, signal);
    this.#busy.delete(host);
    if (!signal.aborted) onFree();
  }

  async #hasSucceeded(host: string, work: Call['work']): Promise<boolean> {
    const { signal, what, queue, log } = this.#options;
    try {
      await queue.handle(work);
      return true;
    } catch (error) {
      if (!signal.aborted) log(`${what} of ${host}: ${reasonOf(error)}`);
      return false;
    }
  }
}
