import type { Clock } from '../base/clock.ts';

/** Aborts its signal when it was not restarted for long enough. */
export class IdleTimer {
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
