import { callRecord, type CallRecord } from '../../stubs/daemon/contract.ts';
import type { Clock } from '../base/clock.ts';
import { reasonOf } from '../base/errors.ts';
import { pause, waitFor } from '../base/wait.ts';
import { watchLines } from '../kube/watch-lines.ts';
import type { ControlClient } from './control-client.ts';

/** Calls that were made and will never be known. Both ends included. */
export interface CallHole {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly reason: string;
}

export interface CallHandler {
  /** In the order of their numbers, each once. `arrivedAt` is on this process's clock. */
  onCall(call: CallRecord, arrivedAt: number): void;
  /** Comes in the place of the calls that are missing. */
  onHole(hole: CallHole): void;
}

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 1000;
const POLL_MS = 5;

/** Follows the calls to the daemons of a fleet. A stream that breaks goes on where it was. */
export class CallStream {
  readonly #client: ControlClient;
  readonly #clock: Clock;
  readonly #handler: CallHandler;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #next = 1;

  constructor(client: ControlClient, clock: Clock, handler: CallHandler) {
    this.#client = client;
    this.#clock = clock;
    this.#handler = handler;
    this.#done = this.#follow();
  }

  /** Resolves once every call up to this number was told. Throws SIM_TIMEOUT. */
  async caughtUp(lastCall: number, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    await waitFor({
      what: `the daemon fleet to tell of its call ${lastCall}`,
      clock: this.#clock,
      timeoutMs,
      intervalMs: POLL_MS,
      signal,
      lastState: () => `call ${this.#next - 1}`,
      probe: () => Promise.resolve(this.#next > lastCall ? true : undefined),
    });
  }

  /** After it, nothing more is told. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #follow(): Promise<void> {
    for (let failures = 0; !this.#stop.signal.aborted; failures++) {
      const before = this.#next;
      await this.#readOnce();
      if (this.#next > before) failures = 0;
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
      await pause(this.#clock, wait, this.#stop.signal);
    }
  }

  async #readOnce(): Promise<void> {
    const { signal } = this.#stop;
    try {
      const body = await this.#client.open(`/calls?from=${this.#next}`, signal);
      for await (const { line, arrivedAt } of watchLines(body, () => this.#clock.now())) {
        if (signal.aborted) return;
        this.#take(line, arrivedAt);
      }
    } catch {
      // Whatever broke it, the next attempt begins where this one ended, and what is lost by then shows as a hole.
    }
  }

  #take(line: string, arrivedAt: number): void {
    let call: CallRecord;
    try {
      call = callRecord.parse(JSON.parse(line));
    } catch (error) {
      this.#hole(this.#next, `an unreadable record: ${reasonOf(error)}`);
      return;
    }
    if (call.seq > this.#next) this.#hole(call.seq - 1, 'read too slowly');
    try {
      this.#handler.onCall(call, arrivedAt);
      this.#next = call.seq + 1;
    } catch (error) {
      this.#hole(call.seq, `a record could not be taken in: ${reasonOf(error)}`);
    }
  }

  #hole(toSeq: number, reason: string): void {
    this.#handler.onHole({ fromSeq: this.#next, toSeq, reason });
    this.#next = toSeq + 1;
  }
}
