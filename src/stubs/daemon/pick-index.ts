import { blockSize, type IndexRange, type Ipv4Block } from './ipv4-block.ts';

/** No pool gives out its first address, nor its top two. */
const FIRST = 1;
const TOP = 2;

/**
 * The index that the published daemon would give out next: `offset` above the highest that is used, and once that is
 * past the top, the lowest gap. Undefined when the pool is full.
 * See multi-nic-cni, daemon/src/allocator/allocator.go.
 */
export function pickIndex(
  block: Ipv4Block,
  used: readonly IndexRange[],
  offset: number,
): number | undefined {
  const limit = blockSize(block) - TOP;
  const highest = used.reduce((max, { last }) => Math.max(max, last), 0);
  const next = highest + offset;
  return next < limit ? next : lowestGap(used, limit);
}

function lowestGap(used: readonly IndexRange[], limit: number): number | undefined {
  let candidate = FIRST;
  for (const { first, last } of [...used].sort((a, b) => a.first - b.first)) {
    if (first > candidate) break;
    candidate = Math.max(candidate, last + 1);
  }
  return candidate < limit ? candidate : undefined;
}
