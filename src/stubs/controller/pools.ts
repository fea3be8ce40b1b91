import { pMapSettled } from 'p-map';
import { reasonOf } from '../../sim/base/errors.ts';
import type { AllocatedNetwork } from './allocated-network.ts';
import type { Caches } from './caches.ts';
import type { Mutation } from './mutation.ts';
import type { Pool } from './objects.ts';
import type { QueueCounts } from './queue-counts.ts';
import type { Writer } from './writer.ts';

const CONCURRENCY = 16;

interface PoolsOptions {
  readonly caches: Pick<Caches, 'networks' | 'pools'>;
  readonly allocated: ReadonlyMap<string, AllocatedNetwork>;
  readonly writer: Pick<Writer, 'createPool' | 'correctPool' | 'deletePool'>;
  readonly mutation: Mutation;
  readonly queue: QueueCounts;
  readonly signal: AbortSignal;
}

/**
 * Makes the pools that the blocks of the networks call for, and removes the others. With a limit of writes a pass can
 * take minutes: what a pool needs is therefore found out again when its turn comes.
 */
export class Pools {
  readonly #options: PoolsOptions;

  constructor(options: PoolsOptions) {
    this.#options = options;
  }

  async pass(): Promise<void> {
    const { caches, allocated, queue, signal } = this.#options;
    const wanted = [...allocated.values()].flatMap(({ pools }) => [...pools.keys()]);
    const names = [...new Set([...caches.pools.names(), ...wanted])].filter(
      (name) => this.#remedy(name) !== undefined,
    );
    const results = await pMapSettled(
      queue.holding(names),
      (name) => queue.handle(async () => this.#remedy(name)?.()),
      { concurrency: CONCURRENCY, signal },
    );
    const failures = results.flatMap((result, i) =>
      result.status === 'rejected' ? [`pool ${names[i] ?? ''}: ${reasonOf(result.reason)}`] : [],
    );
    if (failures[0] !== undefined)
      throw new Error(
        failures.length === 1 ? failures[0] : `${failures[0]}, and ${failures.length - 1} more`,
      );
  }

  /** What is to be done about a pool, if anything. */
  #remedy(name: string): (() => Promise<void>) | undefined {
    const { caches, writer } = this.#options;
    const present = caches.pools.get(name)?.spec;
    const network = this.#networkOf(name);
    const wanted = network?.pools.get(name);
    if (!network || !wanted)
      return present && this.#isStale(present) ? () => writer.deletePool(name) : undefined;
    if (!present) return () => writer.createPool(wanted, network.excludesIn(wanted));
    return isSame(present, wanted) ? undefined : () => writer.correctPool(wanted);
  }

  #networkOf(pool: string): AllocatedNetwork | undefined {
    const { caches, allocated } = this.#options;
    for (const network of allocated.values())
      if (network.pools.has(pool) && caches.networks.get(network.name)) return network;
    return undefined;
  }

  /** Whether a pool may go that no network wants. Of a network that has no blocks yet nothing is known. */
  #isStale({ netAttachDef, hostName }: Pool): boolean {
    const { caches, allocated, mutation } = this.#options;
    if (!caches.networks.get(netAttachDef)) return true;
    return allocated.has(netAttachDef) && !mutation.keepsPool(hostName);
  }
}

const isSame = (a: Pool, b: Pool): boolean =>
  a.podCIDR === b.podCIDR &&
  a.vlanCIDR === b.vlanCIDR &&
  a.netAttachDef === b.netAttachDef &&
  a.hostName === b.hostName &&
  a.interfaceName === b.interfaceName;
