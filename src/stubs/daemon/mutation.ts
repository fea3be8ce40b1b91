import type { Ipv4Block } from './ipv4-block.ts';
import type { Allocation, IpPool } from './pools.ts';

/** Where a broken daemon differs from the honest one. Every hook of the honest one changes nothing. */
export interface DaemonMutation {
  /** The index to give out of a pool, given the right one, which is undefined when the pool is full. */
  readonly index: (pool: IpPool, right: number | undefined) => number | undefined;
  /** The row that is written for an address of a block. */
  readonly row: (row: Allocation, block: Ipv4Block) => Allocation;
  /** The rows of a pool once one was added. */
  readonly added: (
    rows: readonly Allocation[],
    row: Allocation,
    pool: IpPool,
  ) => readonly Allocation[];
  /** The address that is answered for a row of a block. */
  readonly answer: (row: Allocation, block: Ipv4Block) => string;
  /** The rows of a pool once one was taken out. */
  readonly removed: (
    rows: readonly Allocation[],
    row: Allocation,
    pool: IpPool,
  ) => readonly Allocation[];
}

export const HONEST_DAEMON: DaemonMutation = {
  index: (_, right) => right,
  row: (row) => row,
  added: (rows) => rows,
  answer: ({ address }) => address,
  removed: (rows) => rows,
};
