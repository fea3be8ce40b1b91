import { isVictim, mutationNamed, type Mutant } from '../mutant.ts';
import { addressAt, overlap, parseBlock } from './ipv4-block.ts';
import { HONEST_DAEMON, type DaemonMutation } from './mutation.ts';
import { pickIndex } from './pick-index.ts';
import type { Allocation, IpPool } from './pools.ts';
import { usedIndexes } from './used-indexes.ts';

/** Far beyond any network of a scenario. */
const FAR = 2 ** 29;

function excludedIndex({ podCIDR, excludes, allocations }: IpPool): number | undefined {
  const block = parseBlock(podCIDR);
  const taken = new Set(allocations.map(({ index }) => index));
  return excludes
    .flatMap((exclude) => overlap(block, parseBlock(exclude))?.first ?? [])
    .find((index) => !taken.has(index));
}

/** The next row of a pool, for a pod that nobody has named. */
function unaskedRow(pool: IpPool, { namespace, pod }: Allocation): readonly Allocation[] {
  const block = parseBlock(pool.podCIDR);
  const index = pickIndex(block, usedIndexes(pool), 1);
  if (index === undefined) return [];
  return [{ namespace, pod: `${pod}-unasked`, index, address: addressAt(block, index) }];
}

/** Broken daemons. Only that of the seed's node is, so that the others show the difference. */
export const DAEMON_MUTANTS: readonly Mutant<DaemonMutation>[] = [
  {
    name: 'address-twice',
    what: 'gives every pod the address of the first one',
    breaks: 'INV001',
    scenario: 'allocate',
    make: () => ({ index: ({ allocations }, right) => allocations[0]?.index ?? right }),
  },
  {
    name: 'row-left-after-release',
    what: 'answers that an address was taken back, and leaves its row',
    breaks: 'INV008',
    scenario: 'allocate',
    make: () => ({ removed: (_rows, _row, { allocations }) => allocations }),
  },
  {
    name: 'released-by-another',
    what: 'removes the row of another pod than the one that gives its address back',
    breaks: 'INV008',
    scenario: 'allocate',
    make: () => ({
      removed(rows, _row, { allocations }) {
        const [another] = rows;
        return another ? allocations.filter((row) => row !== another) : rows;
      },
    }),
  },
  {
    name: 'reply-not-in-pool',
    what: 'answers another address than it writes down',
    breaks: 'INV008',
    scenario: 'allocate',
    make: () => ({ answer: ({ index }, block) => addressAt(block, index + 1) }),
  },
  {
    name: 'unasked-row',
    what: 'writes a second row, for a pod that nobody has named',
    breaks: 'INV008',
    scenario: 'allocate',
    make: () => ({
      added: (rows, row, pool) => [
        ...rows,
        ...unaskedRow({ ...pool, allocations: [...rows] }, row),
      ],
    }),
  },
  {
    name: 'duplicate-row',
    what: 'writes every row twice',
    breaks: 'INV008',
    scenario: 'allocate',
    make: () => ({ added: (rows, row) => [...rows, row] }),
  },
  {
    name: 'address-outside-pool',
    what: 'gives out addresses that are not in the pool',
    breaks: 'INV009',
    scenario: 'allocate',
    make: () => ({
      row: (row, block) => ({ ...row, address: addressAt(block, row.index + FAR) }),
    }),
  },
  {
    name: 'wrong-index',
    what: 'writes an index next to that of the address',
    breaks: 'INV009',
    scenario: 'allocate',
    make: () => ({ row: (row) => ({ ...row, index: row.index + 1 }) }),
  },
  {
    name: 'excluded-address',
    what: 'gives out the excluded addresses of the pool first',
    breaks: 'INV009',
    scenario: 'allocate',
    make: () => ({ index: (pool, right) => excludedIndex(pool) ?? right }),
  },
];

/** How the daemon of a node differs from the honest one. */
export type DaemonMutations = (node: string) => DaemonMutation;

/** Honest daemons everywhere, or the named broken one on the node of the seed. Undefined when there is none. */
export function daemonMutationsOf(
  name: string | undefined,
  seed: number,
): DaemonMutations | undefined {
  const mutation = mutationNamed(DAEMON_MUTANTS, HONEST_DAEMON, name, seed);
  return mutation && ((node) => (isVictim(seed)(node) ? mutation : HONEST_DAEMON));
}
