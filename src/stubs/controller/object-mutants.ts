import { FIRST_HOST, isVictim, type Mutant } from '../mutant.ts';
import type { Mutation } from './mutation.ts';
import type { Pool } from './objects.ts';

/** Writes something else into the pools of one host. */
const wrongPool =
  (change: (pool: Pool) => Pool) =>
  (seed: number): Partial<Mutation> => ({
    pool: (pool) => (isVictim(seed)(pool.hostName) ? change(pool) : pool),
  });

/** Controllers that write wrong objects, or leave some behind. */
export const OBJECT_MUTANTS: readonly Mutant<Mutation>[] = [
  {
    name: 'pool-missing',
    what: 'never makes the pool of one interface of one host',
    breaks: 'INV005',
    scenario: 'step-scale',
    make: (seed) => ({
      pool: (pool, interfaceIndex) =>
        isVictim(seed)(pool.hostName) && interfaceIndex === 0 ? undefined : pool,
    }),
  },
  {
    name: 'pool-of-another-host',
    what: "writes another host's name into the pools of one host",
    breaks: 'INV005',
    scenario: 'step-scale',
    make: wrongPool((pool) => ({ ...pool, hostName: FIRST_HOST })),
  },
  {
    name: 'pool-of-another-interface',
    what: 'writes the name of another interface into the pools of one host',
    breaks: 'INV005',
    scenario: 'step-scale',
    make: wrongPool((pool) => ({
      ...pool,
      interfaceName: pool.interfaceName === 'eth0' ? 'eth1' : 'eth0',
    })),
  },
  {
    name: 'pool-left-behind',
    what: 'does not delete the pools of one host that is gone',
    breaks: 'INV006',
    scenario: 'step-scale',
    make: (seed) => ({ keepsPool: isVictim(seed) }),
  },
  {
    name: 'row-left-behind',
    what: 'leaves its blocks to one host that is gone',
    breaks: 'INV006',
    scenario: 'step-scale',
    make: (seed) => ({ keepsRow: isVictim(seed) }),
  },
  {
    name: 'host-interface-left-behind',
    what: 'does not delete the interfaces of one host that is gone',
    breaks: 'INV006',
    scenario: 'step-scale',
    make: (seed) => ({ keepsHostInterface: isVictim(seed) }),
  },
];
