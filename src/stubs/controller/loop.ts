import type { Clock } from '../../sim/base/clock.ts';
import { reasonOf } from '../../sim/base/errors.ts';
import { pause } from '../../sim/base/wait.ts';

interface LoopOptions {
  readonly clock: Clock;
  /** How long changes are collected before they are looked at. */
  readonly collectMs: number;
  /** How long a pass that failed is let be before it is repeated. */
  readonly retryMs: number;
  readonly pass: () => Promise<void>;
  readonly log: (line: string) => void;
}

/**
 * Level triggered work: a pass sees to everything there is now, and is repeated when something may have changed since
 * it began. It does not matter how often it is woken, nor what was missed. It is dirty from the start.
 */
export class Loop {
  readonly #options: LoopOptions;
  #isDirty = true;
  #goOn: () => void = () => undefined;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  wake(): void {
    this.#isDirty = true;
    this.#goOn();
  }

  /** Works until it is stopped; a pass under way is waited for. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = (): void => {
      this.#goOn();
    };
    signal.addEventListener('abort', stop, { once: true });
    for (;;) {
      await this.#untilDirty(signal);
      await pause(this.#options.clock, this.#options.collectMs, signal);
      if (signal.aborted) return;
      this.#isDirty = false;
      await this.#pass(signal);
    }
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const { clock, retryMs, pass, log } = this.#options;
    try {
      await pass();
    } catch (error) {
      if (signal.aborted) return;
      log(reasonOf(error));
      await pause(clock, retryMs, signal);
      this.#isDirty = true;
    }
  }

  async #untilDirty(signal: AbortSignal): Promise<void> {
    while (!this.#isDirty && !signal.aborted)
      await new Promise<void>((resolve) => {
        this.#goOn = resolve;
      });
  }
}
