import { setMaxListeners } from 'node:events';
import type { SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import type { StopSignal } from '../host/signals.ts';

/** A person or a lane asked the run to stop. */
export class Interruption extends Error {
  readonly signal: StopSignal;

  constructor(signal: StopSignal) {
    super(`interrupted by ${signal}`);
    this.name = 'Interruption';
    this.signal = signal;
  }
}

/** npm passes a Ctrl-C on that the terminal has already sent: an echo within this time is not a second wish. */
const ECHO_MS = 1000;

/** Decides how far a run goes: everything that can end it early comes together here. */
export class RunControl {
  readonly #run = new AbortController();
  readonly #steps = new AbortController();
  /** Aborted when the run must end at once. The reason is an Interruption or a SimError. */
  readonly signal: AbortSignal = this.#run.signal;
  /** Aborted also when the steps must end, but what they did is still to be judged. */
  readonly stepSignal: AbortSignal = AbortSignal.any([this.#run.signal, this.#steps.signal]);

  constructor() {
    // Every request that is under way listens: dozens at a time are no leak.
    for (const signal of [this.signal, this.stepSignal]) setMaxListeners(0, signal);
  }

  /** Why no further step begins; undefined while nothing is in the way. */
  get halted(): string | undefined {
    const reason: unknown = this.#steps.signal.reason;
    return reason instanceof Error ? reason.message : undefined;
  }

  /** Ends the steps; the run goes on to its judgement. */
  halt(why: string): void {
    this.#steps.abort(new Error(why));
  }

  /** Something that the run cannot do without has failed. */
  fail(error: SimError): void {
    this.#run.abort(error);
  }

  /** Listens for stop signals. A second one, later than an echo, ends sim at once. */
  listen(
    host: Pick<Host, 'signals' | 'clock' | 'exitNow'>,
    onFirst: (line: string) => void,
  ): () => void {
    let first: number | undefined;
    return host.signals.onStop((signal) => {
      if (first === undefined) {
        first = host.clock.now();
        onFirst(`${signal}: stopping; once more to leave at once (then \`sim clean\` tidies up)`);
        this.#run.abort(new Interruption(signal));
      } else if (host.clock.now() - first > ECHO_MS) host.exitNow(signal === 'SIGTERM' ? 143 : 130);
    });
  }
}
