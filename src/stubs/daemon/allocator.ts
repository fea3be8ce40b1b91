import type { Clock } from '../../sim/base/clock.ts';
import { reasonOf } from '../../sim/base/errors.ts';
import type { AddressRequest, GrantedAddress } from './contract.ts';
import { DeallocateHistory } from './deallocate-history.ts';
import { addressAt, parseBlock } from './ipv4-block.ts';
import { HONEST_DAEMON, type DaemonMutation } from './mutation.ts';
import type { DaemonMutations } from './mutants.ts';
import { Mutex } from './mutex.ts';
import { pickIndex } from './pick-index.ts';
import type { Allocation, IpPool, Pools } from './pools.ts';
import { usedIndexes } from './used-indexes.ts';

/** What became of a request for addresses, NIC by NIC. */
export interface AddressOutcome {
  readonly granted: readonly GrantedAddress[];
  /** NICs that are missing from the reply, and why. */
  readonly omitted: readonly { readonly interface: string; readonly reason: string }[];
}

export interface AllocatorOptions {
  readonly node: string;
  readonly pools: Pools;
  readonly clock: Pick<Clock, 'now'>;
  /** Ends calls to the API server when the daemon goes. */
  readonly signal: AbortSignal;
  /** Default: honest daemons everywhere. */
  readonly mutations?: DaemonMutations | undefined;
}

/**
 * Gives out addresses from the node's pools, one request at a time, the way the published daemon does: it reads the
 * pools, and writes the whole list of each without asking whether somebody else wrote meanwhile.
 */
export class Allocator {
  readonly #options: AllocatorOptions;
  readonly #mutation: DaemonMutation;
  readonly #mutex = new Mutex();
  readonly #history: DeallocateHistory;

  constructor(options: AllocatorOptions) {
    this.#options = options;
    this.#mutation = options.mutations?.(options.node) ?? HONEST_DAEMON;
    this.#history = new DeallocateHistory(options.clock);
  }

  /** Rejects when the pools cannot be read; a pool that cannot be written is only left out. */
  allocate(request: AddressRequest): Promise<AddressOutcome> {
    const offset = this.#history.takeOffset(request.pod);
    return this.#mutex.run(async () => {
      const missing = new Set(request.masters);
      const tries: Try[] = [];
      for (const pool of await this.#poolsOf(request)) {
        if (!missing.delete(pool.interfaceName)) continue; // not asked for, or served by another pool
        tries.push(await this.#tryPool(pool, () => this.#withNewRow(pool, request, offset)));
      }
      for (const nic of missing) tries.push({ interface: nic, reason: 'no IPPool for it' });
      return outcomeOf(tries);
    });
  }

  /** Takes back one address of the pod from each pool, whichever NICs the request names. */
  deallocate(request: AddressRequest): Promise<AddressOutcome> {
    this.#history.note(request.pod);
    return this.#mutex.run(async () => {
      const tries: Try[] = [];
      for (const pool of await this.#poolsOf(request)) {
        const row = pool.allocations.find(
          ({ pod, namespace }) => pod === request.pod && namespace === request.namespace,
        );
        if (row) tries.push(await this.#tryPool(pool, () => this.#withoutRow(pool, row)));
      }
      return outcomeOf(tries);
    });
  }

  #poolsOf({ host, def }: AddressRequest): Promise<readonly IpPool[]> {
    const { node, pools, signal } = this.#options;
    return pools.list(node.includes(host) ? node : host, def, signal);
  }

  #withNewRow(pool: IpPool, { pod, namespace }: AddressRequest, offset: number): Change {
    const block = parseBlock(pool.podCIDR);
    const index = this.#mutation.index(pool, pickIndex(block, usedIndexes(pool), offset));
    if (index === undefined) throw new Error('no address is left');
    const right = { pod, namespace, index, address: addressAt(block, index) };
    const row = this.#mutation.row(right, block);
    return {
      allocations: this.#mutation.added(inserted(pool.allocations, row), row, pool),
      address: this.#mutation.answer(row, block),
    };
  }

  #withoutRow(pool: IpPool, row: Allocation): Change {
    const rest = pool.allocations.filter((other) => other !== row);
    return { allocations: this.#mutation.removed(rest, row, pool), address: row.address };
  }

  /** What goes wrong with one pool is no reason to leave out the others. */
  async #tryPool(pool: IpPool, change: () => Change): Promise<Try> {
    const { pools, signal } = this.#options;
    try {
      const { allocations, address } = change();
      const block = String(parseBlock(pool.vlanCIDR).prefix);
      await pools.replaceAllocations(pool.name, allocations, signal);
      return { interface: pool.interfaceName, ip: address, block };
    } catch (error) {
      return { interface: pool.interfaceName, reason: `IPPool ${pool.name}: ${reasonOf(error)}` };
    }
  }
}

/** The new list of a pool, and the address that makes the difference. */
interface Change {
  readonly allocations: readonly Allocation[];
  readonly address: string;
}

type Try = GrantedAddress | AddressOutcome['omitted'][number];

const outcomeOf = (tries: readonly Try[]): AddressOutcome => ({
  granted: tries.filter((one) => 'ip' in one),
  omitted: tries.filter((one) => 'reason' in one),
});

/** In front of the first row with a higher index. */
function inserted(rows: readonly Allocation[], row: Allocation): readonly Allocation[] {
  const at = rows.findIndex(({ index }) => index > row.index);
  return rows.toSpliced(at < 0 ? rows.length : at, 0, row);
}
