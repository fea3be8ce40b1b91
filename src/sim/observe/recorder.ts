import type { Clock } from '../base/clock.ts';
import { reasonOf, SimError } from '../base/errors.ts';
import { roundMs, runMs, type MonotonicMs, type RunMs } from '../base/units.ts';
import type { AppendFile } from '../host/files.ts';
import type { RunFold } from '../ledger/run-fold.ts';
import type { HistoryEntry, Observation } from '../model/history.ts';

const FLUSH_EVERY_MS = 100;
const FLUSH_AT_CHARACTERS = 64 * 1024;

export interface RecorderOptions {
  readonly clock: Clock;
  readonly file: AppendFile;
  readonly fold: RunFold;
  /** The run's own time zero. */
  readonly zero: MonotonicMs;
  /** Called once, with the first write that failed. Nothing is written after it. */
  readonly onFailure: (error: SimError) => void;
}

/** The only writer of `history.jsonl`. Numbers and times what is observed, and feeds the live fold. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #stopFlushing: () => void;
  #seq = 0;
  #pending = '';
  #writing: Promise<void> = Promise.resolve();
  #failed = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#stopFlushing = options.clock.every(FLUSH_EVERY_MS, () => {
      this.#flush();
    });
  }

  get fold(): RunFold {
    return this.#options.fold;
  }

  now(): RunMs {
    return runMs(this.#options.clock.now() - this.#options.zero);
  }

  /** Milliseconds of the clock as milliseconds of the run. */
  toRunMs(at: number): RunMs {
    return runMs(at - this.#options.zero);
  }

  /** Records what was observed; now, or when it arrived. */
  record(observation: Observation, arrivedAt?: number): void {
    const atMs = roundMs(arrivedAt === undefined ? this.now() : this.toRunMs(arrivedAt));
    const entry: HistoryEntry = { ...observation, seq: this.#seq++, atMs };
    this.fold.apply(entry);
    if (this.#failed) return;
    this.#pending += `${JSON.stringify(entry)}\n`;
    if (this.#pending.length >= FLUSH_AT_CHARACTERS) this.#flush();
  }

  /** Waits until the disk has everything that was recorded so far. */
  async sync(): Promise<void> {
    this.#flush();
    await this.#enqueue(() => this.#options.file.sync());
  }

  async close(): Promise<void> {
    this.#stopFlushing();
    await this.sync();
    await this.#options.file.close();
  }

  #flush(): void {
    const text = this.#pending;
    if (text === '') return;
    this.#pending = '';
    void this.#enqueue(() => this.#options.file.append(text));
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      if (this.#failed) return;
      try {
        await work();
      } catch (error) {
        this.#failed = true;
        this.#options.onFailure(
          new SimError('SIM_RECORDING_WRITE', `cannot write the recording: ${reasonOf(error)}`, {
            cause: error,
            hint: 'free some space, or choose another place with --output',
          }),
        );
      }
    });
    return this.#writing;
  }
}
