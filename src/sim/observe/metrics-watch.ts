import { Agent, request } from 'undici';
import type { Clock } from '../base/clock.ts';
import { reasonOf } from '../base/errors.ts';
import { keptMetrics } from './kept-metrics.ts';
import type { Recorder } from './recorder.ts';

const EVERY_MS = 5000;
const TIMEOUT_MS = 2000;
const MOST_BYTES = 16 * 1024 * 1024;

export interface MetricsWatchOptions {
  readonly clock: Clock;
  readonly recorder: Pick<Recorder, 'record'>;
  /** The address to ask now; undefined while nobody shall be asked. */
  readonly place: () => Promise<string | undefined>;
}

/** Asks the controller under test for its metrics, now and then and when it is told to. No answer is no error. */
export class MetricsWatch {
  readonly #options: MetricsWatchOptions;
  readonly #agent = new Agent({
    connect: { rejectUnauthorized: false, timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MOST_BYTES,
  });
  #stopAsking: (() => void) | undefined;
  #last: Promise<void> = Promise.resolve();
  #isSilent = false;
  #stopped: Promise<void> | undefined;

  constructor(options: MetricsWatchOptions) {
    this.#options = options;
  }

  /** Resolves when it has been asked for the first time. */
  start(): Promise<void> {
    this.#stopAsking = this.#options.clock.every(EVERY_MS, () => {
      void this.sample();
    });
    return this.sample();
  }

  /** Asks once more, after all that were asked before. Never rejects. */
  sample(): Promise<void> {
    return (this.#last = this.#last.then(() => this.#sample()));
  }

  stop(): Promise<void> {
    return (this.#stopped ??= (async () => {
      this.#stopAsking?.();
      await this.#last;
      await this.#agent.destroy();
    })());
  }

  async #sample(): Promise<void> {
    const { place, recorder } = this.#options;
    try {
      const url = await place();
      if (url === undefined) return;
      const values = await this.#ask(url);
      this.#isSilent = false;
      recorder.record({ kind: 'controller-metrics', values });
    } catch (error) {
      if (this.#isSilent) return;
      this.#isSilent = true;
      recorder.record({ kind: 'controller-metrics', values: null, problem: reasonOf(error) });
    }
  }

  async #ask(url: string): Promise<Readonly<Record<string, number>>> {
    const { statusCode, body } = await request(url, {
      dispatcher: this.#agent,
      headers: { accept: 'text/plain' },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
    const values = keptMetrics(text);
    if (Object.keys(values).length === 0)
      throw new Error(`${url} answered with none of the metrics that are kept`);
    return values;
  }
}
