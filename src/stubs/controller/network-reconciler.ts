import pMap from 'p-map';
import type * as z from 'zod';
import type { Clock } from '../../sim/base/clock.ts';
import { formatRange, holds, parseRange } from './arithmetic.ts';
import type { DaemonClient } from './daemon-client.ts';
import type { Daemon } from './daemons.ts';
import type { Mutation } from './mutants.ts';
import {
  ipamShape,
  type cidrShape,
  type Entry,
  type networkShape,
  type Pool,
  type poolShape,
} from './objects.ts';
import { networkPlan, planEntries, poolName, type Host, type NetworkPlan } from './plan-entries.ts';
import { RouteBodies } from './route-bodies.ts';
import type { Writer } from './writer.ts';

const CONCURRENCY = 16;

export interface NetworkState {
  readonly spec: z.output<typeof networkShape>['spec'];
  readonly cidr: z.output<typeof cidrShape> | undefined;
  readonly pools: readonly z.output<typeof poolShape>[];
  readonly hosts: readonly Host[];
  readonly daemons: ReadonlyMap<string, Daemon>;
  readonly signal: AbortSignal;
}

interface Tools {
  readonly clock: Clock;
  readonly writer: Writer;
  readonly daemons: DaemonClient;
  readonly mutation: Mutation;
  readonly log: (line: string) => void;
}

/** Keeps one network whole: its CIDR object, its pools, the routes of its daemons, its status. */
export class NetworkReconciler {
  readonly #name: string;
  readonly #tools: Tools;
  /** The rows that this process wrote last: the cache may still show those before. */
  #written: readonly Entry[] | undefined;
  #routesTold = '';
  #toldTo = new Map<string, string>();
  #status = '';

  constructor(name: string, tools: Tools) {
    this.#name = name;
    this.#tools = tools;
  }

  async reconcile(state: NetworkState): Promise<void> {
    const ipam = ipamShape.parse(JSON.parse(state.spec.ipam));
    const network = networkPlan(this.#name, state.spec.subnet, ipam, state.spec.masterNets ?? []);
    const current = this.#written ?? state.cidr?.spec.cidr ?? [];
    const hosts = state.hosts.toSorted((a, b) => compareNames(a.name, b.name));
    const { entries } = planEntries(network, hosts, current, this.#tools.mutation);
    if (!state.cidr || JSON.stringify(entries) !== JSON.stringify(current)) {
      const config = configOf(network, state.spec, ipam);
      await this.#tools.writer.writeCidr(this.#name, config, entries, state.cidr !== undefined);
      this.#written = entries;
    }
    await this.#writeStatus(entries, state);
    await this.#makePools(network, entries, state);
    if (network.routed) await this.#tellRoutes(state, entries);
  }

  async #makePools(
    network: NetworkPlan,
    entries: readonly Entry[],
    { pools, signal }: NetworkState,
  ): Promise<void> {
    const { writer, mutation } = this.#tools;
    const wanted = new Map(
      poolsOf(this.#name, entries, mutation).map((pool) => [
        poolName(this.#name, pool.podCIDR),
        pool,
      ]),
    );
    const present = new Map(pools.map(({ metadata, spec }) => [metadata.name, spec]));
    const stale = [...present].filter(
      ([name, { hostName }]) => !wanted.has(name) && !mutation.keepsPool(hostName),
    );
    await pMap(stale, ([name]) => writer.deletePool(name), { concurrency: CONCURRENCY, signal });
    await pMap(
      wanted,
      async ([name, pool]) => {
        const known = present.get(name);
        if (!known) await writer.createPool(pool, excludesIn(network, pool));
        else if (JSON.stringify(known) !== JSON.stringify(pool)) await writer.correctPool(pool);
      },
      { concurrency: CONCURRENCY, signal },
    );
  }

  async #tellRoutes(
    { spec, daemons, signal }: NetworkState,
    entries: readonly Entry[],
  ): Promise<void> {
    const version = JSON.stringify(entries);
    if (version !== this.#routesTold) this.#toldTo = new Map();
    this.#routesTold = version;
    // One that was away may have come back with empty tables.
    for (const node of this.#toldTo.keys()) if (!daemons.has(node)) this.#toldTo.delete(node);
    const bodies = new RouteBodies(this.#name, spec.subnet, entries, this.#tools.mutation);
    const owners = new Set(entries.flatMap(({ hosts }) => hosts.map(({ hostName }) => hostName)));
    const untold = [...daemons.values()].filter(
      ({ node, hostIP }) => owners.has(node) && this.#toldTo.get(node) !== hostIP,
    );
    await pMap(
      untold,
      async ({ node, hostIP }) => {
        try {
          await this.#tools.daemons.addRoutes(hostIP, bodies.bodyFor(node));
          this.#toldTo.set(node, hostIP);
        } catch (error) {
          this.#tools.log(
            `routes of ${node}: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      },
      { concurrency: CONCURRENCY, signal },
    );
    if (untold.some(({ node }) => !this.#toldTo.has(node)))
      throw new Error(`not every daemon of ${this.#name} took its routes`);
  }

  async #writeStatus(entries: readonly Entry[], { hosts, daemons }: NetworkState): Promise<void> {
    const { writer, mutation, clock } = this.#tools;
    const rows = Math.max(0, ...entries.map((entry) => entry.hosts.length));
    const counters = {
      computeResults: entries.map(({ netAddress, hosts: { length } }) => ({
        netAddress,
        numOfHosts: length,
      })),
      discovery: {
        existDaemon: daemons.size,
        infoAvailable: hosts.filter(({ nics }) => nics.length > 0).length,
        cidrProcessed: mutation.processed(rows),
      },
      configStatus: 'Success',
      routeStatus: 'Success',
      message: '',
    };
    const text = JSON.stringify(counters);
    if (text === this.#status && !mutation.isRestless) return;
    this.#status = text;
    const lastSyncTime = `${new Date(clock.wallMs()).toISOString().slice(0, 19)}Z`;
    await writer.writeStatus(this.#name, { ...counters, lastSyncTime });
  }
}

function poolsOf(network: string, entries: readonly Entry[], mutation: Mutation): readonly Pool[] {
  return entries.flatMap(({ vlanCIDR, hosts }) =>
    hosts.map(({ podCIDR, hostName, interfaceName }) => ({
      podCIDR,
      vlanCIDR,
      netAttachDef: network,
      hostName: mutation.poolHost(hostName),
      interfaceName,
    })),
  );
}

/** Excluded ranges that lie within the pool's block: single addresses of it, not the whole. */
const excludesIn = ({ excludes }: NetworkPlan, { podCIDR }: Pool): readonly string[] =>
  excludes.filter((range) => holds(parseRange(podCIDR), range)).map(formatRange);

const configOf = (
  { name, masterNets }: NetworkPlan,
  spec: NetworkState['spec'],
  ipam: z.output<typeof ipamShape>,
): Readonly<Record<string, unknown>> => ({
  name,
  type: 'multi-nic-ipam',
  subnet: spec.subnet,
  masterNets,
  ...ipam,
});

/** `sim-2` before `sim-10`: indexes are given out in an order that people expect. */
const compareNames = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
