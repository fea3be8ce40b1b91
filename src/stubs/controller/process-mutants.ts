import { isVictim, type Mutant } from '../mutant.ts';
import type { Mutation } from './mutation.ts';
import { isTainted } from './taints.ts';

/** Controllers that crash, look away, or write what they should not. */
export const PROCESS_MUTANTS: readonly Mutant<Mutation>[] = [
  {
    name: 'crash-at-a-node',
    what: 'ends as soon as one host is known',
    breaks: 'INV012',
    scenario: 'step-scale',
    make: (seed) => ({ crashes: (hosts) => hosts.some(({ name }) => isVictim(seed)(name)) }),
  },
  {
    name: 'crash-on-taint',
    what: 'ends when a node is tainted',
    breaks: 'INV012',
    scenario: 'taint',
    make: () => ({ crashes: (hosts) => hosts.some(isTainted) }),
  },
  {
    name: 'restless',
    what: 'writes the status of the network again and again although nothing changes',
    breaks: 'INV013',
    scenario: 'step-scale',
    make: () => ({ isRestless: true, looksEverySecond: true }),
  },
  {
    name: 'counter-goes-back',
    what: 'reports fewer hosts than before for a moment whenever there are more',
    breaks: 'regressions(processed) == 0',
    scenario: 'step-scale',
    make() {
      const last = new Map<string, number>();
      return {
        looksEverySecond: true,
        processed(value, network) {
          const before = last.get(network) ?? 0;
          last.set(network, value);
          return value > before ? Math.max(0, before - 1) : value;
        },
      };
    },
  },
  {
    name: 'late-nic-never-found',
    what: 'never asks a host again whose interfaces it knows',
    breaks: 'convergence',
    scenario: 'late-nic',
    make: () => ({ asksAgain: false }),
  },
];
