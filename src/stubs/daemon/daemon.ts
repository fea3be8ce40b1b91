import type { Clock } from '../../sim/base/clock.ts';
import { Allocator } from './allocator.ts';
import { CallCounts } from './call-counts.ts';
import type { HostInterface } from './contract.ts';
import { HEALTHY, type Behaviour } from './faults.ts';
import type { DaemonMutations } from './mutants.ts';
import type { Pools } from './pools.ts';
import { RouteTables } from './route-table.ts';

export interface DaemonOptions {
  /** The name of its node. */
  readonly name: string;
  /** The one address at which it is called. */
  readonly address: string;
  readonly interfaces: readonly HostInterface[];
}

export interface DaemonWorld {
  readonly pools: Pools;
  readonly clock: Clock;
  readonly mutations?: DaemonMutations | undefined;
  /** Rises from call to call, also from one daemon to the next of the same name. */
  readonly nextTableVersion: () => number;
}

/** Everything that one daemon knows. It does not know of the others, nor of HTTP. */
export class Daemon {
  readonly name: string;
  readonly address: string;
  /** Of its node's kernel: it is there before the daemon, and after it. */
  readonly routes: RouteTables;
  readonly counts = new CallCounts();
  readonly allocator: Allocator;
  interfaces: readonly HostInterface[];
  behaviour: Behaviour = HEALTHY;
  readonly #world: DaemonWorld;
  readonly #gone = new AbortController();

  constructor(options: DaemonOptions, world: DaemonWorld, routes = new RouteTables()) {
    this.name = options.name;
    this.address = options.address;
    this.interfaces = options.interfaces;
    this.routes = routes;
    this.#world = world;
    this.allocator = new Allocator({ node: this.name, signal: this.#gone.signal, ...world });
  }

  /** How it treats a call to a path. */
  behaviourOn(path: string): Behaviour {
    const { paths } = this.behaviour;
    return paths === undefined || paths.includes(path) ? this.behaviour : HEALTHY;
  }

  nextTableVersion(): number {
    return this.#world.nextTableVersion();
  }

  /** Breaks off what it has asked of the API server, as the end of its process would. */
  stop(): void {
    this.#gone.abort(new Error(`the daemon of ${this.name} has ended`));
  }

  /** Ends it. Answers the daemon that the node starts next, with the same NICs, routes and fault and no memory. */
  restarted(): Daemon {
    this.stop();
    const daemon = new Daemon(this, this.#world, this.routes);
    daemon.behaviour = this.behaviour;
    return daemon;
  }
}
