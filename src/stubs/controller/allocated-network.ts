import { formatRange, holds, parseRange } from './arithmetic.ts';
import type { Mutation } from './mutation.ts';
import type { Entry, Pool } from './objects.ts';
import { poolName, type NetworkPlan } from './plan-entries.ts';
import { RouteBodies } from './route-bodies.ts';

/**
 * What follows from the blocks of a network: its pools, and the routes of its daemons. It never changes: other blocks
 * make another one, which is how the loops tell what is outdated.
 */
export class AllocatedNetwork {
  readonly name: string;
  readonly routed: boolean;
  /** By their names. */
  readonly pools: ReadonlyMap<string, Pool>;
  /** The hosts that have a block. */
  readonly owners: ReadonlySet<string>;
  readonly #plan: NetworkPlan;
  readonly #bodies: RouteBodies;

  constructor(plan: NetworkPlan, subnet: string, entries: readonly Entry[], mutation: Mutation) {
    this.name = plan.name;
    this.routed = plan.routed;
    this.pools = poolsOf(plan.name, entries, mutation);
    this.owners = new Set(entries.flatMap(({ hosts }) => hosts.map(({ hostName }) => hostName)));
    this.#plan = plan;
    this.#bodies = new RouteBodies(plan.name, subnet, entries, mutation);
  }

  /** Excluded ranges that lie within the pool's block: single addresses of it, not the whole. */
  excludesIn({ podCIDR }: Pool): readonly string[] {
    return this.#plan.excludes
      .filter((range) => holds(parseRange(podCIDR), range))
      .map(formatRange);
  }

  /** The body of `/addl3` for a host. */
  routesFor(host: string): string {
    return this.#bodies.bodyFor(host);
  }
}

function poolsOf(
  network: string,
  entries: readonly Entry[],
  mutation: Mutation,
): ReadonlyMap<string, Pool> {
  const pools = entries.flatMap(({ vlanCIDR, interfaceIndex, hosts }) =>
    hosts.flatMap(({ podCIDR, hostName, interfaceName }) => {
      const pool = { podCIDR, vlanCIDR, netAttachDef: network, hostName, interfaceName };
      return mutation.pool(pool, interfaceIndex) ?? [];
    }),
  );
  return new Map(pools.map((pool) => [poolName(network, pool.podCIDR), pool]));
}
