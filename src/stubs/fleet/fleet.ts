import { createServer, type Server } from 'node:http';
import type { Clock } from '../../sim/base/clock.ts';
import { reasonOf, systemCodeOf } from '../../sim/base/errors.ts';
import { daemonApp } from '../daemon/app.ts';
import { CallCounts } from '../daemon/call-counts.ts';
import type { UnnumberedCall } from '../daemon/call.ts';
import { Daemon } from '../daemon/daemon.ts';
import { Mutex } from '../daemon/mutex.ts';
import type { DaemonMutations } from '../daemon/mutants.ts';
import type { Pools } from '../daemon/pools.ts';
import type { CallLog } from './call-log.ts';
import type { FailedNode, FleetNode, NodeState } from './contract.ts';
import { Listener } from './listener.ts';
import { portHolders } from './port-holder.ts';

export interface FleetOptions {
  readonly port: number;
  readonly pools: Pools;
  /** Default: honest daemons everywhere. */
  readonly mutations?: DaemonMutations | undefined;
  readonly log: CallLog;
  readonly clock: Clock;
}

export interface PutResult {
  readonly added: number;
  readonly replaced: number;
  readonly failed: readonly FailedNode[];
}

export interface RemoveResult {
  readonly deleted: number;
  readonly unknown: readonly string[];
}

interface Member {
  readonly daemon: Daemon;
  readonly listener: Listener;
}

/**
 * Idle connections stay open, as with the published daemon, whose limit is ten minutes. A limit of Node.js would be told
 * to the callers, who would then keep thousands of connections for that long against their own settings.
 */
const NO_LIMIT = 0;
const TAKEN = 'EADDRINUSE';

/** Many daemons in one process: a listening socket for each, one HTTP server behind all of them. */
export class Fleet {
  readonly counts = new CallCounts();
  readonly #options: FleetOptions;
  readonly #http: Server;
  readonly #byName = new Map<string, Member>();
  readonly #byAddress = new Map<string, Daemon>();
  /** One change at a time. */
  readonly #changes = new Mutex();

  constructor(options: FleetOptions) {
    this.#options = options;
    const record = (call: UnnumberedCall): void => {
      this.counts.add(call.path, call.status);
      options.log.append(call);
    };
    const find = (address: string): Daemon | undefined => this.#byAddress.get(address);
    // It never listens itself: a server per daemon would mean a timer and a list of connections for each.
    this.#http = createServer(
      { keepAliveTimeout: NO_LIMIT },
      daemonApp({ find, record, clock: options.clock }),
    );
  }

  get size(): number {
    return this.#byName.size;
  }

  get port(): number {
    return this.#options.port;
  }

  /** Adds or replaces daemons, each in full or not at all. */
  put(nodes: readonly FleetNode[]): Promise<PutResult> {
    return this.#changes.run(async () => {
      const before = this.size;
      const failures = await Promise.all(nodes.map((node) => this.#putOne(node)));
      const failed = failures.filter((failure) => failure !== undefined);
      const added = this.size - before;
      const replaced = nodes.length - failed.length - added;
      return { added, replaced, failed: await this.#explain(failed) };
    });
  }

  /** What is not there is passed over, and answered by name. */
  remove(names: readonly string[]): Promise<RemoveResult> {
    return this.#changes.run(async () => {
      const unknown = names.filter((name) => !this.#byName.has(name));
      const members = new Set(names.flatMap((name) => this.#byName.get(name) ?? []));
      await Promise.all([...members].map((member) => this.#removeOne(member)));
      return { deleted: members.size, unknown };
    });
  }

  /** Undefined when there is no such daemon. */
  daemon(name: string): Daemon | undefined {
    return this.#byName.get(name)?.daemon;
  }

  state(name: string): NodeState | undefined {
    const daemon = this.daemon(name);
    if (!daemon) return undefined;
    const { address, interfaces, routes, behaviour } = daemon;
    return {
      name,
      address,
      port: this.port,
      interfaces: [...interfaces],
      tables: routes.tables(),
      behaviour: behaviour.name,
    };
  }

  setInterfaces(name: string, interfaces: FleetNode['interfaces']): NodeState | undefined {
    const daemon = this.daemon(name);
    if (daemon) daemon.interfaces = interfaces;
    return this.state(name);
  }

  async close(): Promise<void> {
    await this.remove([...this.#byName.keys()]);
  }

  async #putOne(node: FleetNode): Promise<Failure | undefined> {
    const holder = this.#byAddress.get(node.address);
    if (holder && holder.name !== node.name)
      return { node, code: TAKEN, why: `the daemon of ${holder.name} has it` };
    const before = this.#byName.get(node.name);
    const daemon = new Daemon(node, this.#options);
    if (before && holder) {
      this.#replace(before, daemon);
      return undefined;
    }
    try {
      const listener = await this.#listen(node.address);
      this.#byAddress.set(node.address, daemon);
      if (before) await this.#removeOne(before);
      this.#byName.set(node.name, { daemon, listener });
      return undefined;
    } catch (error) {
      const code = systemCodeOf(error) ?? null;
      return { node, code, why: code === TAKEN ? undefined : reasonOf(error) };
    }
  }

  /** The address stays open meanwhile: nobody who calls is refused. */
  #replace(before: Member, daemon: Daemon): void {
    before.daemon.stop();
    before.listener.dropConnections();
    this.#byName.set(daemon.name, { daemon, listener: before.listener });
    this.#byAddress.set(daemon.address, daemon);
  }

  async #removeOne({ daemon, listener }: Member): Promise<void> {
    this.#byName.delete(daemon.name);
    daemon.stop();
    await listener.close();
    this.#byAddress.delete(daemon.address);
  }

  #listen(address: string): Promise<Listener> {
    return Listener.open(address, this.port, (socket) => this.#http.emit('connection', socket));
  }

  async #explain(failures: readonly Failure[]): Promise<readonly FailedNode[]> {
    const isAnyUnknown = failures.some(({ why }) => why === undefined);
    const holderOf = isAnyUnknown ? await portHolders(this.port) : undefined;
    return failures.map(({ node: { name, address }, code, why }) => {
      const reason = why ?? holderOf?.(address) ?? 'another program has it';
      const problem = `cannot listen on ${address}:${this.port} for ${name}: ${reason}`;
      return { name, address, port: this.port, code, problem };
    });
  }
}

interface Failure {
  readonly node: FleetNode;
  readonly code: string | null;
  /** Undefined when the kernel only says that the address is taken. */
  readonly why: string | undefined;
}
