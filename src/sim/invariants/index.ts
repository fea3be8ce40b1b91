import { blockCounts } from './block-counts.ts';
import { blocksInside } from './blocks-inside.ts';
import { blocksKept } from './blocks-kept.ts';
import { controllerAlive } from './controller-alive.ts';
import { disjointBlocks } from './disjoint-blocks.ts';
import { historyComplete } from './history-complete.ts';
import type { Invariant } from './invariant.ts';
import { leasePlaces } from './lease-places.ts';
import { leasesMatchGrants } from './leases-match-grants.ts';
import { nobodyStarves } from './nobody-starves.ts';
import { nodeAddresses } from './node-addresses.ts';
import { nothingLeft } from './nothing-left.ts';
import { poolsMatchBlocks } from './pools-match-blocks.ts';
import { quietAtRest } from './quiet-at-rest.ts';
import { routesTold } from './routes-told.ts';
import { uniqueAddresses } from './unique-addresses.ts';

/** Every guarantee that is checked. `docs/invariants.md` is generated from this list. */
export const INVARIANTS: readonly Invariant[] = [
  historyComplete,
  uniqueAddresses,
  disjointBlocks,
  blocksInside,
  blockCounts,
  poolsMatchBlocks,
  nothingLeft,
  blocksKept,
  leasesMatchGrants,
  leasePlaces,
  routesTold,
  nodeAddresses,
  controllerAlive,
  quietAtRest,
  nobodyStarves,
];
