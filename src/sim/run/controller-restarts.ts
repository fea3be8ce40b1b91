import { formatDuration } from '../base/duration.ts';
import { reasonOf } from '../base/errors.ts';
import { pause } from '../base/wait.ts';
import { backOffMs } from '../controllers/back-off.ts';
import type { OwnProcess } from '../controllers/controller.ts';
import type { ProcessIdentity } from '../host/processes.ts';
import type { Session } from './session.ts';

/** Starts a controller again that has exited by itself, as a kubelet would. */
export class ControllerRestarts {
  readonly #session: Pick<Session, 'host' | 'recorder' | 'control' | 'progress'>;
  readonly #stop = new AbortController();
  #backOffMs: number | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(session: Pick<Session, 'host' | 'recorder' | 'control' | 'progress'>) {
    this.#session = session;
  }

  after(ended: ProcessIdentity, own: OwnProcess): void {
    if (this.#stop.signal.aborted) return;
    this.#backOffMs = backOffMs(this.#backOffMs, own.ageMs());
    const waitMs = this.#backOffMs;
    this.#session.progress.say(
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
    const { host, recorder, control } = this.#session;
    await pause(host.clock, waitMs, this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    try {
      const started = await own.startAgain(ended);
      if (started) recorder.record({ kind: 'controller', event: 'started', pid: started.pid });
    } catch (error) {
      control.halt(`the controller exited unasked and cannot be started again: ${reasonOf(error)}`);
    }
  }
}
