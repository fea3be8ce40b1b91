import type { Range } from './arithmetic.ts';
import type { Pool, Row } from './objects.ts';

/** An interface network of a network, as a pass finds it. */
export interface LinkView {
  /** Tells it from every other one, of all networks. */
  readonly name: string;
  /** The hosts that are on it now. */
  readonly hosts: ReadonlySet<string>;
}

/** What the cluster says of a host that is there. */
export interface HostState {
  readonly name: string;
  /** The address of its daemon; undefined while that is not ready. */
  readonly daemonIP: string | undefined;
  /** The keys of its node's taints. */
  readonly taints: readonly string[];
}

/** Where a broken controller differs from the honest one. Every hook of the honest one changes nothing. */
export interface Mutation {
  /** Whether the process ends, with these hosts. */
  readonly crashes: (hosts: readonly HostState[]) => boolean;
  /** Whether a host is treated as gone although it is there. */
  readonly losesHost: (host: HostState) => boolean;
  /** Told of every answer of a daemon. */
  readonly heard: (hostIP: string, isError: boolean) => void;
  /** Whether hosts are asked again that are known. */
  readonly asksAgain: boolean;
  /** Whether a host's interfaces stay although it is gone. */
  readonly keepsHostInterface: (host: string) => boolean;

  /** The rows of an interface network from which allocation starts. */
  readonly startingRows: (rows: readonly Row[], link: LinkView) => readonly Row[];
  /** Whether the row of a host stays although it is not there any more. */
  readonly keepsRow: (host: string) => boolean;
  /** Whether a host is passed over for good. */
  readonly forgets: (host: string) => boolean;
  /** Whether a host gets no block of the excluded ones. */
  readonly respectsExcludes: (host: string) => boolean;
  /** The index for a new host, given the lowest free one, and those of the other hosts on the link. */
  readonly freeIndex: (
    host: string,
    lowest: number | undefined,
    link: LinkView,
    taken: ReadonlyMap<string, number>,
  ) => number | undefined;
  /** The indexes of all blocks of a host on a link, its own being the last. `highest` is the link's. */
  readonly indexes: (host: string, own: number, highest: number) => readonly number[];
  readonly block: (host: string, block: Range) => Range;

  /** The pool to make of a block on the interface network of that index; undefined for none. */
  readonly pool: (pool: Pool, interfaceIndex: number) => Pool | undefined;
  /** Whether a pool stays although nothing refers to it any more. */
  readonly keepsPool: (host: string) => boolean;

  /** Whether a daemon is told a route to a peer. */
  readonly tellsRoute: (to: string, peer: string) => boolean;
  /** The address through which a peer is reached. */
  readonly via: (peer: string, hostIP: string) => string;
  /** Whether a daemon that was told the routes when these hosts had blocks is told those of now. */
  readonly tellsAgain: (before: ReadonlySet<string>, now: ReadonlySet<string>) => boolean;

  /** The number that is reported for a network, given the true one. */
  readonly processed: (value: number, network: string) => number;
  /** Whether the status is written although nothing has changed. */
  readonly isRestless: boolean;
  /** Whether allocation is looked at every second, whatever changes or not. */
  readonly looksEverySecond: boolean;
}

export const HONEST: Mutation = {
  crashes: () => false,
  losesHost: () => false,
  heard: () => undefined,
  asksAgain: true,
  keepsHostInterface: () => false,
  startingRows: (rows) => rows,
  keepsRow: () => false,
  forgets: () => false,
  respectsExcludes: () => true,
  freeIndex: (_, lowest) => lowest,
  indexes: (_, own) => [own],
  block: (_, block) => block,
  pool: (pool) => pool,
  keepsPool: () => false,
  tellsRoute: () => true,
  via: (_, hostIP) => hostIP,
  tellsAgain: () => true,
  processed: (value) => value,
  isRestless: false,
  looksEverySecond: false,
};
