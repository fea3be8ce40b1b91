import { FIRST_HOST, isVictim, victimOf, type Mutant } from '../mutant.ts';
import type { Mutation } from './mutation.ts';
import type { Row } from './objects.ts';
import { isTainted } from './taints.ts';

/** Every host gets the block of the next one. To deal them out by the host's names could give all of them back. */
const turned = (rows: readonly Row[]): readonly Row[] =>
  rows.map((row, i) => ({ ...row, hostIndex: rows[(i + 1) % rows.length]?.hostIndex ?? 0 }));

/** Controllers that deal out blocks wrongly. */
export const BLOCK_MUTANTS: readonly Mutant<Mutation>[] = [
  {
    name: 'duplicate-block',
    what: 'gives one host and the first host the same block',
    breaks: 'INV002',
    scenario: 'step-scale',
    make(seed) {
      const victim = victimOf(seed);
      // Whichever is discovered later gets the block of the other.
      const other = new Map([
        [FIRST_HOST, victim],
        [victim, FIRST_HOST],
      ]);
      return {
        freeIndex: (host, lowest, _, taken) => taken.get(other.get(host) ?? '') ?? lowest,
      };
    },
  },
  {
    name: 'block-outside-parent',
    what: "gives one host a block beyond its interface's range",
    breaks: 'INV003',
    scenario: 'step-scale',
    make: (seed) => ({
      block: (host, block) =>
        isVictim(seed)(host) ? { ...block, base: (block.base + 2 ** 30) % 2 ** 32 } : block,
    }),
  },
  {
    name: 'excluded-block',
    what: 'gives one host a block of the excluded ones',
    breaks: 'INV003',
    scenario: 'step-scale',
    make: (seed) => ({ respectsExcludes: (host) => !isVictim(seed)(host) }),
  },
  {
    name: 'second-block',
    what: 'gives one host two blocks on every interface',
    breaks: 'INV004',
    scenario: 'step-scale',
    make: (seed) => ({
      indexes: (host, own, highest) => (isVictim(seed)(host) ? [highest, own] : [own]),
    }),
  },
  {
    name: 'node-forgotten',
    what: 'never gives one host a block',
    breaks: 'INV014',
    scenario: 'step-scale',
    make: (seed) => ({ forgets: isVictim(seed) }),
  },
  {
    name: 'starved-node-never-served',
    what: 'serves no further host once all blocks were taken, although some are given back',
    breaks: 'INV014',
    scenario: 'exhaustion',
    make() {
      const full = new Set<string>();
      return {
        freeIndex(_, lowest, link) {
          if (lowest === undefined) full.add(link.name);
          return full.has(link.name) ? undefined : lowest;
        },
      };
    },
  },
  {
    name: 'block-moves',
    what: 'moves the blocks of all other hosts when one leaves',
    breaks: 'INV007',
    scenario: 'step-scale',
    make: () => ({
      startingRows(rows, { hosts }) {
        const staying = rows.filter(({ hostName }) => hosts.has(hostName));
        return staying.length < rows.length ? turned(staying) : rows;
      },
    }),
  },
  {
    name: 'reshuffle-on-restart',
    what: 'forgets at its start which host had which block, and deals them out anew',
    breaks: 'INV007',
    scenario: 'resilience',
    make() {
      const started = new Set<string>();
      return {
        startingRows(rows, { name }) {
          if (started.has(name)) return rows;
          started.add(name);
          return turned(rows);
        },
      };
    },
  },
  {
    name: 'rows-dropped-on-daemon-restart',
    what: 'takes the blocks of a host away while its daemon is not ready',
    breaks: 'INV007',
    scenario: 'rolling-daemons',
    make: () => ({ losesHost: ({ daemonIP }) => daemonIP === undefined }),
  },
  {
    name: 'drops-row-when-tainted',
    what: 'takes the blocks of a host away while its node is tainted',
    breaks: 'INV007',
    scenario: 'taint',
    make: () => ({ losesHost: isTainted }),
  },
  {
    name: 'wrong-error-taken-for-gone',
    what: 'takes the blocks of a host away when its daemon answers with an error',
    breaks: 'INV007',
    scenario: 'daemon-faults',
    make() {
      const failing = new Set<string>();
      return {
        looksEverySecond: true,
        heard(hostIP, isError) {
          if (isError) failing.add(hostIP);
          else failing.delete(hostIP);
        },
        losesHost: ({ daemonIP }) => daemonIP !== undefined && failing.has(daemonIP),
      };
    },
  },
];
