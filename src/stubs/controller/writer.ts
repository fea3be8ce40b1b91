import type { Clock } from '../../sim/base/clock.ts';
import { isConflict } from '../../sim/kube/api-error.ts';
import type { KubeClient } from '../../sim/kube/client.ts';
import { API_VERSION, MULTI_NIC, type Entry, type HostNic, type Pool } from './objects.ts';
import { poolName } from './plan-entries.ts';
import { TokenBucket } from './throttle.ts';

type Kind = keyof typeof MULTI_NIC;

/**
 * What a new object costs of its kind's bucket. The controller that this one stands for writes each pool twice: it
 * creates it, and then adds its finalizer. Ours has no finalizers, and pays all the same, to be as slow.
 */
const CREATE_TOKENS: Readonly<Record<Kind, number>> = {
  network: 1,
  hostInterface: 1,
  cidr: 1,
  pool: 2,
};

/**
 * All writes of the controller, each kind limited by a bucket of its own, as client-go does. What is to be created may
 * be there already, because the cache has not seen it yet: then it is brought up to date.
 */
export class Writer {
  readonly #kube: KubeClient;
  readonly #buckets: Readonly<Record<Kind, TokenBucket>>;

  constructor(kube: KubeClient, clock: Clock, qps: number) {
    const bucket = (): TokenBucket => new TokenBucket(clock, qps);
    this.#kube = kube;
    this.#buckets = {
      network: bucket(),
      hostInterface: bucket(),
      cidr: bucket(),
      pool: bucket(),
    };
  }

  async createHostInterface(host: string, nics: readonly HostNic[]): Promise<void> {
    const spec = { hostName: host, interfaces: nics };
    if (!(await this.#create('hostInterface', { name: host }, spec)))
      await this.updateHostInterface(host, nics);
  }

  async updateHostInterface(host: string, nics: readonly HostNic[]): Promise<void> {
    await this.#buckets.hostInterface.take();
    await this.#kube.patch(MULTI_NIC.hostInterface, host, 'merge', { spec: { interfaces: nics } });
  }

  async deleteHostInterface(host: string): Promise<void> {
    await this.#buckets.hostInterface.take();
    await this.#kube.delete(MULTI_NIC.hostInterface, host);
  }

  /** Creates the network's CIDR object, or replaces its rows. */
  async writeCidr(
    network: string,
    config: Readonly<Record<string, unknown>>,
    entries: readonly Entry[],
    exists: boolean,
  ): Promise<void> {
    if (!exists && (await this.#create('cidr', { name: network }, { config, cidr: entries })))
      return;
    await this.#buckets.cidr.take();
    await this.#kube.patch(MULTI_NIC.cidr, network, 'merge', { spec: { cidr: entries } });
  }

  async deleteCidr(network: string): Promise<void> {
    await this.#buckets.cidr.take();
    await this.#kube.delete(MULTI_NIC.cidr, network);
  }

  async createPool(pool: Pool, excludes: readonly string[]): Promise<void> {
    const metadata = {
      name: poolName(pool.netAttachDef, pool.podCIDR),
      labels: { hostname: pool.hostName, netname: pool.netAttachDef },
    };
    if (!(await this.#create('pool', metadata, { ...pool, excludes, allocations: [] })))
      await this.correctPool(pool);
  }

  /** Corrects what a pool says of itself; its allocations belong to the daemons. */
  async correctPool(pool: Pool): Promise<void> {
    await this.#buckets.pool.take();
    const name = poolName(pool.netAttachDef, pool.podCIDR);
    const labels = { hostname: pool.hostName, netname: pool.netAttachDef };
    await this.#kube.patch(MULTI_NIC.pool, name, 'merge', { metadata: { labels }, spec: pool });
  }

  async deletePool(name: string): Promise<void> {
    await this.#buckets.pool.take();
    await this.#kube.delete(MULTI_NIC.pool, name);
  }

  async writeStatus(network: string, status: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#buckets.network.take();
    await this.#kube.patch(
      MULTI_NIC.network,
      network,
      'merge',
      { status },
      { subresource: 'status' },
    );
  }

  /** Answers false when there is one of that name already. */
  async #create(of: Kind, metadata: { readonly name: string }, spec: object): Promise<boolean> {
    await this.#buckets[of].take(CREATE_TOKENS[of]);
    const { kind } = MULTI_NIC[of];
    const object = { apiVersion: API_VERSION, kind, metadata, spec };
    try {
      await this.#kube.create(MULTI_NIC[of], object, { name: metadata.name });
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }
}
