import * as z from 'zod';
import type { KubeClient } from '../../sim/kube/client.ts';

const IP_POOLS = {
  group: 'multinic.fms.io',
  version: 'v1',
  plural: 'ippools',
  kind: 'IPPool',
  namespaced: false,
} as const;

const allocation = z.object({
  pod: z.string(),
  namespace: z.string(),
  index: z.int().nonnegative(),
  address: z.string(),
});
export type Allocation = z.infer<typeof allocation>;

const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);

const ipPool = z
  .object({
    metadata: z.object({ name: z.string() }),
    spec: z.object({
      podCIDR: z.string(),
      vlanCIDR: z.string(),
      interfaceName: z.string(),
      excludes: list(z.string()),
      allocations: list(allocation),
    }),
  })
  .transform(({ metadata, spec }) => ({ name: metadata.name, ...spec }));

/** What a daemon reads of an IPPool: the addresses of one NIC of its node in one network. */
export type IpPool = z.infer<typeof ipPool>;

/** Where a daemon finds the pools of its node. */
export interface Pools {
  /** The pools with the labels `hostname` and `netname`, as they are now. Rejects when they cannot be had. */
  list(host: string, network: string, signal: AbortSignal): Promise<readonly IpPool[]>;
  /** Replaces the whole list of a pool, whatever is in it. Rejects when the API server does not do it. */
  replaceAllocations(
    pool: string,
    allocations: readonly Allocation[],
    signal: AbortSignal,
  ): Promise<void>;
}

/** The pools of a cluster. */
export class KubePools implements Pools {
  readonly #kube: KubeClient;

  constructor(kube: KubeClient) {
    this.#kube = kube;
  }

  async list(host: string, network: string, signal: AbortSignal): Promise<readonly IpPool[]> {
    const labelSelector = `hostname=${host},netname=${network}`;
    const objects = await this.#kube.list(IP_POOLS, { labelSelector, signal });
    return objects.map((object) => {
      try {
        return ipPool.parse(object);
      } catch (error) {
        throw new Error(`the IPPool ${object.metadata.name} has another shape than expected`, {
          cause: error,
        });
      }
    });
  }

  async replaceAllocations(
    pool: string,
    allocations: readonly Allocation[],
    signal: AbortSignal,
  ): Promise<void> {
    const patch = [{ op: 'replace', path: '/spec/allocations', value: allocations }];
    await this.#kube.patch(IP_POOLS, pool, 'json', patch, { signal });
  }
}

const noCluster = (): Promise<never> =>
  Promise.reject(new Error('the fleet was started without --kubeconfig and knows no IPPools'));

/** For daemons without a cluster: nothing can be allocated. */
export const NO_POOLS: Pools = { list: noCluster, replaceAllocations: noCluster };
