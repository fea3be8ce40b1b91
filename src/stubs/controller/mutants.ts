import type { Range } from './arithmetic.ts';
import type { Row } from './objects.ts';

/** Where a broken controller differs from the honest one. Every hook of the honest one changes nothing. */
export interface Mutation {
  /** The rows of an interface network of a network from which allocation starts. */
  readonly startingRows: (
    rows: readonly Row[],
    network: string,
    netAddress: string,
  ) => readonly Row[];
  /** Whether a host is passed over for good. */
  readonly forgets: (host: string) => boolean;
  /** The index for a new host, given the lowest free one, and those of the other hosts on its interface network. */
  readonly freeIndex: (
    host: string,
    lowest: number | undefined,
    taken: ReadonlyMap<string, number>,
  ) => number | undefined;
  readonly block: (host: string, block: Range) => Range;
  /** Whether a pool stays although nothing refers to it any more. */
  readonly keepsPool: (host: string) => boolean;
  /** The host that a new pool names. */
  readonly poolHost: (host: string) => string;
  /** Whether a daemon is told a route to a peer. */
  readonly tellsRoute: (to: string, peer: string) => boolean;
  /** The number that is reported, given the true one. */
  readonly processed: (value: number) => number;
  /** Whether objects are written although nothing has changed. */
  readonly isRestless: boolean;
}

const HONEST: Mutation = {
  startingRows: (rows) => rows,
  forgets: () => false,
  freeIndex: (_, lowest) => lowest,
  block: (_, block) => block,
  keepsPool: () => false,
  poolHost: (host) => host,
  tellsRoute: () => true,
  processed: (value) => value,
  isRestless: false,
};

export interface Mutant {
  readonly name: string;
  /** What it does wrong, in a sentence. */
  readonly what: string;
  /** The invariant whose guarantee it breaks. */
  readonly breaks: string;
  readonly make: (seed: number) => Partial<Mutation>;
}

const FIRST = 'sim-1';

/** The host of the seed: one of the first few, so that small scenarios have it too. */
const victimOf = (seed: number): string => `sim-${2 + (seed % 3)}`;
const isVictim = (seed: number) => (host: string) => host === victimOf(seed);

/** Every host gets the block of the next one. To deal them out by the host's names could give all of them back. */
const turned = (rows: readonly Row[]): readonly Row[] =>
  rows.map((row, i) => ({ ...row, hostIndex: rows[(i + 1) % rows.length]?.hostIndex ?? 0 }));

/** Broken controllers, each by one guarantee, the same every time under the same seed. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'duplicate-block',
    what: 'gives one host and the first host the same block',
    breaks: 'INV002',
    make(seed) {
      const victim = victimOf(seed);
      // Whichever is discovered later gets the block of the other.
      const other = new Map([
        [FIRST, victim],
        [victim, FIRST],
      ]);
      return { freeIndex: (host, lowest, taken) => taken.get(other.get(host) ?? '') ?? lowest };
    },
  },
  {
    name: 'block-outside-parent',
    what: "gives one host a block beyond its interface's range",
    breaks: 'INV003',
    make: (seed) => ({
      block: (host, block) =>
        isVictim(seed)(host) ? { ...block, base: (block.base + 2 ** 30) % 2 ** 32 } : block,
    }),
  },
  {
    name: 'node-forgotten',
    what: 'never gives one host a block',
    breaks: 'INV014',
    make: (seed) => ({ forgets: isVictim(seed) }),
  },
  {
    name: 'pool-left-behind',
    what: 'does not delete the pools of one host that is gone',
    breaks: 'INV006',
    make: (seed) => ({ keepsPool: isVictim(seed) }),
  },
  {
    name: 'pool-of-another-host',
    what: "writes another host's name into the pools of one host",
    breaks: 'INV005',
    make: (seed) => ({ poolHost: (host) => (isVictim(seed)(host) ? FIRST : host) }),
  },
  {
    name: 'reshuffle-on-restart',
    what: 'forgets at its start which host had which block, and deals them out anew',
    breaks: 'INV007',
    make: () => {
      const started = new Set<string>();
      return {
        startingRows(rows, network, netAddress) {
          const place = `${network} ${netAddress}`;
          if (started.has(place)) return rows;
          started.add(place);
          return turned(rows);
        },
      };
    },
  },
  {
    name: 'route-missing',
    what: 'does not tell the first host the routes to one peer',
    breaks: 'INV010',
    make: (seed) => ({ tellsRoute: (to, peer) => !(to === FIRST && isVictim(seed)(peer)) }),
  },
  {
    name: 'restless',
    what: 'writes the status of the network again and again although nothing changes',
    breaks: 'INV013',
    make: () => ({ isRestless: true }),
  },
];

/** The honest controller, or the named broken one. Undefined when there is none of that name. */
export function mutationOf(name: string | undefined, seed: number): Mutation | undefined {
  if (name === undefined) return HONEST;
  const mutant = MUTANTS.find((candidate) => candidate.name === name);
  return mutant && { ...HONEST, ...mutant.make(seed) };
}
