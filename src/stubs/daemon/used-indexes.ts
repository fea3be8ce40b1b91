import { overlap, parseBlock, type IndexRange } from './ipv4-block.ts';
import type { IpPool } from './pools.ts';

/** The indexes of a pool that are not to be given out: those of its rows, and what is excluded. */
export function usedIndexes(pool: IpPool): readonly IndexRange[] {
  const block = parseBlock(pool.podCIDR);
  return [
    ...pool.allocations.map(({ index }) => ({ first: index, last: index })),
    ...pool.excludes.flatMap((exclude) => overlap(block, parseBlock(exclude)) ?? []),
  ];
}
