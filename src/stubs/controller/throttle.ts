import type { Clock } from '../../sim/base/clock.ts';

/** Requests a second, and how many may come at once after a pause: client-go's token bucket. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #qps: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt: number;
  #queue: Promise<void> = Promise.resolve();

  /** With a rate of 0 there is no limit. */
  constructor(clock: Clock, qps: number, burst = Math.ceil(qps * 1.5)) {
    this.#clock = clock;
    this.#qps = qps;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAt = clock.now();
  }

  /** Resolves when so many requests may be sent. In the order of asking. */
  take(tokens = 1): Promise<void> {
    if (this.#qps === 0) return Promise.resolve();
    for (let i = 0; i < tokens; i++) this.#queue = this.#queue.then(() => this.#takeOne());
    return this.#queue;
  }

  async #takeOne(): Promise<void> {
    const now = this.#clock.now();
    this.#tokens = Math.min(
      this.#burst,
      this.#tokens + ((now - this.#filledAt) / 1000) * this.#qps,
    );
    this.#filledAt = now;
    if (this.#tokens < 1) await this.#clock.sleep(((1 - this.#tokens) / this.#qps) * 1000);
    this.#tokens -= 1;
  }
}
