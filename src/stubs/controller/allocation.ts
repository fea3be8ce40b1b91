import { pMapSettled } from 'p-map';
import type { Clock } from '../../sim/base/clock.ts';
import { reasonOf } from '../../sim/base/errors.ts';
import type { AllocatedNetwork } from './allocated-network.ts';
import type { Caches } from './caches.ts';
import { readyDaemons } from './daemons.ts';
import type { HostState, Mutation } from './mutation.ts';
import { NetworkReconciler } from './network-reconciler.ts';
import type { Host } from './plan-entries.ts';
import type { QueueCounts } from './queue-counts.ts';
import type { Writer } from './writer.ts';

interface AllocationOptions {
  readonly caches: Caches;
  readonly writer: Writer;
  readonly queue: QueueCounts;
  readonly clock: Clock;
  readonly mutation: Mutation;
  /** Ends the process. */
  readonly crash: () => void;
  /** Called when the blocks of a network have changed, or it has none any more. */
  readonly onChange: () => void;
}

/** Gives every host a block per interface and network: the CIDR objects, and the status of the networks. */
export class Allocation {
  readonly #options: AllocationOptions;
  readonly #networks = new Map<string, NetworkReconciler>();
  readonly #allocated = new Map<string, AllocatedNetwork>();

  constructor(options: AllocationOptions) {
    this.#options = options;
  }

  /** The networks whose blocks are written. */
  get allocated(): ReadonlyMap<string, AllocatedNetwork> {
    return this.#allocated;
  }

  async pass(): Promise<void> {
    const { caches, mutation, crash } = this.#options;
    if (mutation.crashes(this.#present())) {
      crash();
      return;
    }
    const names = caches.networks.names();
    await this.#removeAllBut(new Set(names));
    const { queue } = this.#options;
    const results = await pMapSettled(
      queue.holding(names),
      (name) => queue.handle(() => this.#reconcile(name)),
      { concurrency: 4 },
    );
    // Each network by itself: what is wrong with one shall not keep the others from being served.
    const failures = results.flatMap((result, i) =>
      result.status === 'rejected' ? [`network ${names[i] ?? ''}: ${reasonOf(result.reason)}`] : [],
    );
    if (failures.length > 0) throw new Error(failures.join('; '));
  }

  /** Removes what was made for networks that are gone. */
  async #removeAllBut(networks: ReadonlySet<string>): Promise<void> {
    const { caches, writer, onChange } = this.#options;
    for (const name of this.#networks.keys()) if (!networks.has(name)) this.#networks.delete(name);
    for (const name of this.#allocated.keys())
      if (!networks.has(name)) {
        this.#allocated.delete(name);
        onChange();
      }
    for (const cidr of caches.cidrs.names()) if (!networks.has(cidr)) await writer.deleteCidr(cidr);
  }

  async #reconcile(name: string): Promise<void> {
    const { caches, writer, clock, mutation, onChange } = this.#options;
    const network = caches.networks.get(name);
    if (!network) return;
    const reconciler =
      this.#networks.get(name) ?? new NetworkReconciler(name, { clock, writer, mutation });
    this.#networks.set(name, reconciler);
    const hosts = this.#present().filter((host) => !mutation.losesHost(host));
    const { spec } = network;
    const blocks = await reconciler.allocate({ spec, cidr: caches.cidrs.get(name), hosts });
    if (this.#allocated.get(name) !== blocks.network) {
      this.#allocated.set(name, blocks.network);
      onChange();
    }
    await reconciler.writeStatus(blocks.entries, hosts, readyDaemons(caches.pods).size);
  }

  /** Hosts whose node is there. The interfaces of a node that is gone are on their way out. */
  #present(): readonly (Host & HostState)[] {
    const { hosts, nodes, pods } = this.#options.caches;
    const daemons = readyDaemons(pods);
    return hosts.all().flatMap(({ spec: { hostName: name, interfaces: nics } }) => {
      const node = nodes.get(name);
      if (!node) return [];
      const taints = (node.spec?.taints ?? []).map(({ key }) => key);
      return [{ name, nics, daemonIP: daemons.get(name)?.hostIP, taints }];
    });
  }
}
