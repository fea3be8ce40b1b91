import type * as z from 'zod';
import type { Clock } from '../../sim/base/clock.ts';
import { AllocatedNetwork } from './allocated-network.ts';
import type { Mutation } from './mutation.ts';
import { ipamShape, type cidrShape, type Entry, type networkShape } from './objects.ts';
import { networkPlan, planEntries, type Host, type NetworkPlan } from './plan-entries.ts';
import type { Writer } from './writer.ts';

interface NetworkState {
  readonly spec: z.output<typeof networkShape>['spec'];
  readonly cidr: z.output<typeof cidrShape> | undefined;
  readonly hosts: readonly Host[];
}

interface Tools {
  readonly clock: Clock;
  readonly writer: Pick<Writer, 'writeCidr' | 'writeStatus'>;
  readonly mutation: Mutation;
}

interface Blocks {
  readonly entries: readonly Entry[];
  /** The same one as long as nothing changes. */
  readonly network: AllocatedNetwork;
}

/** Keeps the CIDR object of one network, and its status. */
export class NetworkReconciler {
  readonly #name: string;
  readonly #tools: Tools;
  /** The rows that this process wrote last: the cache may still show those before. */
  #written: readonly Entry[] | undefined;
  #allocated: { readonly version: string; readonly network: AllocatedNetwork } | undefined;
  #status = '';

  constructor(name: string, tools: Tools) {
    this.#name = name;
    this.#tools = tools;
  }

  /** Gives every host its blocks. They are written when this resolves. */
  async allocate({ spec, cidr, hosts }: NetworkState): Promise<Blocks> {
    const { writer, mutation } = this.#tools;
    const ipam = ipamShape.parse(JSON.parse(spec.ipam));
    const plan = networkPlan(this.#name, spec.subnet, ipam, spec.masterNets ?? []);
    const current = this.#written ?? cidr?.spec.cidr ?? [];
    const inOrder = hosts.toSorted((a, b) => compareNames(a.name, b.name));
    const { entries } = planEntries(plan, inOrder, current, mutation);
    const rows = JSON.stringify(entries);
    if (!cidr || rows !== JSON.stringify(current)) {
      const config = configOf(plan, spec, ipam);
      await writer.writeCidr(this.#name, config, entries, cidr !== undefined);
      this.#written = entries;
    }
    const version = JSON.stringify(plan) + rows;
    if (this.#allocated?.version !== version) {
      const network = new AllocatedNetwork(plan, spec.subnet, entries, mutation);
      this.#allocated = { version, network };
    }
    return { entries, network: this.#allocated.network };
  }

  async writeStatus(
    entries: readonly Entry[],
    hosts: readonly Host[],
    daemons: number,
  ): Promise<void> {
    const { writer, mutation, clock } = this.#tools;
    const served = entries.map(({ hosts: rows }) => new Set(rows.map((row) => row.hostName)).size);
    const counters = {
      computeResults: entries.map(({ netAddress, hosts: { length } }) => ({
        netAddress,
        numOfHosts: length,
      })),
      discovery: {
        existDaemon: daemons,
        infoAvailable: hosts.filter(({ nics }) => nics.length > 0).length,
        cidrProcessed: mutation.processed(Math.max(0, ...served), this.#name),
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
