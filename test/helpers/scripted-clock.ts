import type { Clock } from '../../src/sim/base/clock.ts';
import { monotonicMs, type MonotonicMs } from '../../src/sim/base/units.ts';

/** A clock on which time passes only while somebody sleeps, and then at once, and when the test says so. */
export class ScriptedClock implements Clock {
  /** How long each sleep was asked to last. */
  readonly sleeps: number[] = [];
  readonly #ticks = new Set<() => void>();
  #nowMs = 1000;

  now(): MonotonicMs {
    return monotonicMs(this.#nowMs);
  }

  wallMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.sleeps.push(ms);
    this.#nowMs += ms;
    return Promise.resolve();
  }

  every(_ms: number, tick: () => void): () => void {
    this.#ticks.add(tick);
    return () => this.#ticks.delete(tick);
  }

  /** Lets time pass. What is to be called every so often is called once, at the end. */
  pass(ms: number): void {
    this.#nowMs += ms;
    for (const tick of [...this.#ticks]) tick();
  }

  /** How many calls are still to be made every so often. */
  get ticking(): number {
    return this.#ticks.size;
  }
}
