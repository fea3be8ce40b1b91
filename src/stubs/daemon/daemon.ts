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

/** Everything that one daemon knows. It does not know of the others, nor of HTTP. */
export class Daemon {
  readonly name: string;
  readonly address: string;
  readonly routes = new RouteTables();
  readonly counts = new CallCounts();
  readonly allocator: Allocator;
  interfaces: readonly HostInterface[];
  behaviour: Behaviour = HEALTHY;
  readonly #gone = new AbortController();

  constructor(
    options: DaemonOptions,
    world: {
      readonly pools: Pools;
      readonly clock: Clock;
      readonly mutations?: DaemonMutations | undefined;
    },
  ) {
    this.name = options.name;
    this.address = options.address;
    this.interfaces = options.interfaces;
    this.allocator = new Allocator({ node: this.name, signal: this.#gone.signal, ...world });
  }

  /** Breaks off what it has asked of the API server, as the end of its process would. */
  stop(): void {
    this.#gone.abort(new Error(`the daemon of ${this.name} was removed`));
  }
}
