import type { Clock } from '../../sim/base/clock.ts';
import { reasonOf } from '../../sim/base/errors.ts';
import type { AllocatedNetwork } from './allocated-network.ts';
import type { Caches } from './caches.ts';
import { Calls } from './calls.ts';
import type { DaemonClient } from './daemon-client.ts';
import { readyDaemons, type Daemon } from './daemons.ts';
import type { Mutation } from './mutation.ts';
import type { QueueCounts } from './queue-counts.ts';

/** Bodies of a quarter of a megabyte, at a thousand nodes. */
const CONCURRENCY = 8;
const TELL_AGAIN_MS = 1000;

interface RoutesOptions {
  readonly caches: Pick<Caches, 'pods'>;
  readonly allocated: ReadonlyMap<string, AllocatedNetwork>;
  readonly daemons: Pick<DaemonClient, 'addRoutes'>;
  readonly clock: Clock;
  readonly mutation: Mutation;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  readonly queue: QueueCounts;
  /** Called when a pass may find somebody to tell. */
  readonly wake: () => void;
}

interface Told {
  readonly network: AllocatedNetwork;
  readonly to: Daemon;
}

/**
 * Tells daemons the routes of their networks. A pass does not wait for them, and what a daemon is told is decided when
 * its turn comes: so it never gets an older table after a newer one, and skips those that came while it was busy.
 */
export class Routes {
  readonly #options: RoutesOptions;
  readonly #calls: Calls;
  /** By node and network: the table that the daemon has taken. */
  readonly #told = new Map<string, Map<string, Told>>();

  constructor(options: RoutesOptions) {
    const { clock, signal, log, queue, wake } = options;
    this.#options = options;
    this.#calls = new Calls({
      clock,
      signal,
      concurrency: CONCURRENCY,
      what: 'routes',
      queue,
      restMs: { afterSuccess: 0, afterFailure: TELL_AGAIN_MS },
      onFree: wake,
      log,
    });
  }

  pass(): Promise<void> {
    const daemons = readyDaemons(this.#options.caches.pods);
    // One that was away may have come back with empty tables.
    for (const node of this.#told.keys()) if (!daemons.has(node)) this.#told.delete(node);
    for (const daemon of daemons.values())
      if (this.#untold(daemon).length > 0) this.#calls.offer(daemon.node, () => this.#tell(daemon));
    return Promise.resolve();
  }

  #untold(daemon: Daemon): readonly AllocatedNetwork[] {
    const told = this.#told.get(daemon.node);
    return [...this.#options.allocated.values()].filter((network) => {
      if (!network.routed || !network.owners.has(daemon.node)) return false;
      const last = told?.get(network.name);
      if (!last || !isSameLife(last.to, daemon)) return true;
      return (
        last.network !== network &&
        this.#options.mutation.tellsAgain(last.network.owners, network.owners)
      );
    });
  }

  async #tell(daemon: Daemon): Promise<void> {
    const failures: string[] = [];
    for (const { name } of this.#untold(daemon)) {
      const network = this.#options.allocated.get(name); // the newest: the one before may have taken long
      if (!network) continue;
      try {
        await this.#options.daemons.addRoutes(daemon.hostIP, network.routesFor(daemon.node));
        this.#remember({ network, to: daemon });
      } catch (error) {
        failures.push(reasonOf(error));
      }
    }
    if (failures.length > 0) throw new Error(failures.join('; '));
  }

  #remember(told: Told): void {
    const { node } = told.to;
    const byNetwork = this.#told.get(node) ?? new Map<string, Told>();
    this.#told.set(node, byNetwork.set(told.network.name, told));
  }
}

const isSameLife = (a: Daemon, b: Daemon): boolean => a.hostIP === b.hostIP && a.life === b.life;
