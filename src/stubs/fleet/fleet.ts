import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../sim/base/clock.ts';
import { some } from '../../sim/base/text.ts';
import { pause } from '../../sim/base/wait.ts';
import { daemonApp } from '../daemon/app.ts';
import { CallCounts } from '../daemon/call-counts.ts';
import type { UnnumberedCall } from '../daemon/call.ts';
import { Daemon, type DaemonWorld } from '../daemon/daemon.ts';
import { Mutex } from '../daemon/mutex.ts';
import type { DaemonMutations } from '../daemon/mutants.ts';
import type { Pools } from '../daemon/pools.ts';
import { Refusal } from '../daemon/refusal.ts';
import type { CallLog } from './call-log.ts';
import type { DaemonFault, FailedNode, FleetNode, NodeState } from './contract.ts';
import { ADDRESS_TAKEN, explainFailures, failureOf, type Failure } from './failed-nodes.ts';
import { Listener } from './listener.ts';
import { Member } from './member.ts';

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

/** What became of a change of daemons: how many have it, and those that could not be called after it. */
export interface ChangeResult {
  readonly changed: number;
  readonly failed: readonly FailedNode[];
}

/**
 * Idle connections stay open, as with the published daemon, whose limit is ten minutes. A limit of Node.js would be told
 * to the callers, who would then keep thousands of connections for that long against their own settings.
 */
const NO_LIMIT = 0;

/** Many daemons in one process: a listening socket for each, one HTTP server behind all of them. */
export class Fleet {
  readonly counts = new CallCounts();
  readonly #options: FleetOptions;
  readonly #http: Server;
  readonly #byName = new Map<string, Member>();
  readonly #byAddress = new Map<string, Member>();
  readonly #world: DaemonWorld;
  /** One change at a time. */
  readonly #changes = new Mutex();
  readonly #closing = new AbortController();

  constructor(options: FleetOptions) {
    this.#options = options;
    const record = (call: UnnumberedCall): void => {
      this.counts.add(call.path, call.status);
      options.log.append(call);
    };
    const find = (address: string): Daemon | undefined => this.#byAddress.get(address)?.daemon;
    let tableVersion = 0;
    this.#world = { ...options, nextTableVersion: () => ++tableVersion };
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
      return { added, replaced, failed: await explainFailures(failed, this.port) };
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

  /**
   * Gives daemons a fault in place of the one that they have; undefined heals. Rejects with a Refusal, and changes
   * nothing, when there is no daemon of a name.
   */
  setFault(names: readonly string[], fault: DaemonFault | undefined): Promise<ChangeResult> {
    return this.#changes.run(() =>
      this.#change(this.#known(names), (member) => member.setFault(fault)),
    );
  }

  /** Breaks the connections that are open. Answers of how many daemons. Throws a Refusal as `setFault`. */
  dropConnections(names: readonly string[]): number {
    const members = this.#known(names);
    for (const member of members) member.dropConnections();
    return members.length;
  }

  /**
   * Lets the processes of daemons end and begin again, after a time in which they refuse. Other changes may be made
   * meanwhile; a daemon that they replace, remove or restart does not count. Rejects as `setFault`.
   */
  async restart(names: readonly string[], downMs: number): Promise<ChangeResult> {
    const next = await this.#changes.run(() =>
      Promise.all(this.#known(names).map((member) => member.goDown({ refuses: downMs > 0 }))),
    );
    await pause(this.#options.clock, downMs, this.#closing.signal);
    return this.#changes.run(() => {
      const expected = next.flatMap((daemon) => {
        const member = this.#byName.get(daemon.name);
        return member?.daemon === daemon ? [member] : [];
      });
      return this.#change(expected, (member) => member.comeBack());
    });
  }

  /** Undefined when there is no such daemon. */
  daemon(name: string): Daemon | undefined {
    return this.#byName.get(name)?.daemon;
  }

  state(name: string): NodeState | undefined {
    const member = this.#byName.get(name);
    if (!member) return undefined;
    const { address, interfaces, routes } = member.daemon;
    return {
      name,
      address,
      port: this.port,
      interfaces: [...interfaces],
      tables: routes.tables(),
      fault: member.fault ?? null,
    };
  }

  setInterfaces(name: string, interfaces: FleetNode['interfaces']): NodeState | undefined {
    const daemon = this.daemon(name);
    if (daemon) daemon.interfaces = interfaces;
    return this.state(name);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.remove([...this.#byName.keys()]);
  }

  async #putOne(node: FleetNode): Promise<Failure | undefined> {
    const holder = this.#byAddress.get(node.address);
    if (holder && holder.daemon.name !== node.name)
      return { node, code: ADDRESS_TAKEN, why: `the daemon of ${holder.daemon.name} has it` };
    const daemon = new Daemon(node, this.#world);
    return failureOf(node, () => (holder ? holder.replace(daemon) : this.#add(daemon)));
  }

  async #add(daemon: Daemon): Promise<void> {
    const { name, address } = daemon;
    const onConnection = (socket: Socket): void => void this.#http.emit('connection', socket);
    const listener = new Listener({ address, port: this.port, onConnection });
    const member = new Member(daemon, listener, this.#options.clock);
    await member.open();
    this.#byAddress.set(address, member);
    const before = this.#byName.get(name);
    if (before) await this.#removeOne(before);
    this.#byName.set(name, member);
  }

  async #removeOne(member: Member): Promise<void> {
    this.#byName.delete(member.daemon.name);
    await member.close();
    this.#byAddress.delete(member.daemon.address);
  }

  /** Throws a Refusal when there is no daemon of a name. */
  #known(names: readonly string[]): readonly Member[] {
    const unknown = names.filter((name) => !this.#byName.has(name));
    if (unknown.length > 0) throw new Refusal(404, `there is no daemon for ${some(unknown)}`);
    return [...new Set(names.flatMap((name) => this.#byName.get(name) ?? []))];
  }

  async #change(
    members: readonly Member[],
    change: (member: Member) => Promise<void>,
  ): Promise<ChangeResult> {
    const failures = await Promise.all(
      members.map((member) => failureOf(member.daemon, () => change(member))),
    );
    const failed = failures.filter((failure) => failure !== undefined);
    return {
      changed: members.length - failed.length,
      failed: await explainFailures(failed, this.port),
    };
  }
}
