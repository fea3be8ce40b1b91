import type { Clock } from '../base/clock.ts';
import { formatDuration } from '../base/duration.ts';
import { reasonOf } from '../base/errors.ts';
import { pause } from '../base/wait.ts';
import { backOffMs } from '../controllers/back-off.ts';
import type { OwnProcess } from '../controllers/controller.ts';
import type { ProcessIdentity } from '../host/processes.ts';
import type { ObservationOf } from '../model/history.ts';

/** What it needs of the run. */
export interface RestartTools {
  readonly clock: Clock;
  readonly record: (observation: ObservationOf<'controller'>) => void;
  readonly say: (line: string) => void;
  /** Ends the steps. */
  readonly halt: (why: string) => void;
}

/** Starts a controller again that has exited by itself, as a kubelet would. */
export class ControllerRestarts {
  readonly #tools: RestartTools;
  readonly #stop = new AbortController();
  #backOffMs: number | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(tools: RestartTools) {
    this.#tools = tools;
  }

  after(ended: ProcessIdentity, own: OwnProcess): void {
    if (this.#stop.signal.aborted) return;
    this.#backOffMs = backOffMs(this.#backOffMs, own.ageMs());
    const waitMs = this.#backOffMs;
    this.#tools.say(
      `the controller exited unasked; it is started again in ${formatDuration(waitMs)}`,
    );
    this.#working = this.#startAfter(waitMs, ended, own);
  }

  /** Whatever has ended by now stays so. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  async #startAfter(waitMs: number, ended: ProcessIdentity, own: OwnProcess): Promise<void> {
    const { clock, record, halt } = this.#tools;
    await pause(clock, waitMs, this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    try {
      const started = await own.startAgain(ended);
      if (started) record({ kind: 'controller', event: 'started', pid: started.pid });
    } catch (error) {
      halt(`the controller exited unasked and cannot be started again: ${reasonOf(error)}`);
    }
  }
}
