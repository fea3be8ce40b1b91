import type { Clock } from '../../sim/base/clock.ts';
import type { Daemon } from '../daemon/daemon.ts';
import { behaviourOf, HEALTHY } from '../daemon/faults.ts';
import type { DaemonFault } from './contract.ts';
import type { Listener } from './listener.ts';

/** A daemon of a fleet behind the socket at which it is called. Of its changes, one may be made at a time. */
export class Member {
  readonly #listener: Listener;
  readonly #clock: Clock;
  #daemon: Daemon;
  #fault: DaemonFault | undefined;
  /** Its process has ended, and the next one is not there yet. */
  #isDown = false;

  constructor(daemon: Daemon, listener: Listener, clock: Clock) {
    this.#daemon = daemon;
    this.#listener = listener;
    this.#clock = clock;
  }

  get daemon(): Daemon {
    return this.#daemon;
  }

  get fault(): DaemonFault | undefined {
    return this.#fault;
  }

  /** Rejects with the system's error when the address cannot be had, as all that may make it listen do. */
  open(): Promise<void> {
    return this.#listener.open();
  }

  /** Another daemon for the node. Where the address is open it stays so: nobody who calls is refused. */
  async replace(daemon: Daemon): Promise<void> {
    await this.#listener.open(); // first: where it fails, nothing has changed
    this.#daemon.stop();
    this.#daemon = daemon;
    this.#fault = undefined;
    this.#isDown = false;
    this.#listener.dropConnections();
  }

  /** In place of the fault that it has; undefined heals. */
  async setFault(fault: DaemonFault | undefined): Promise<void> {
    const { name, behaviour: before } = this.#daemon;
    const behaviour = fault ? behaviourOf(fault, { name, clock: this.#clock }) : HEALTHY;
    if (!behaviour.refusesConnections && !this.#isDown) await this.#listener.open(); // first, as above
    this.#fault = fault;
    this.#daemon.behaviour = behaviour;
    before.end?.();
    if (behaviour.refusesConnections) await this.#listener.close();
  }

  dropConnections(): void {
    this.#listener.dropConnections();
  }

  /** Ends the daemon's process, with its connections. Answers the next one, which begins with `comeBack`. */
  async goDown({ refuses }: { readonly refuses: boolean }): Promise<Daemon> {
    const next = this.#daemon.restarted();
    this.#daemon = next;
    this.#isDown = true;
    if (refuses) await this.#listener.close();
    else this.#listener.dropConnections();
    return next;
  }

  async comeBack(): Promise<void> {
    if (!this.#daemon.behaviour.refusesConnections) await this.#listener.open();
    this.#isDown = false;
  }

  async close(): Promise<void> {
    this.#daemon.stop();
    await this.#listener.close();
  }
}
