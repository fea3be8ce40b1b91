import { FIRST_HOST, isVictim, type Mutant } from '../mutant.ts';
import type { Mutation } from './mutation.ts';

/** Controllers that tell daemons wrong routes, or none. */
export const ROUTE_MUTANTS: readonly Mutant<Mutation>[] = [
  {
    name: 'route-missing',
    what: 'does not tell the first host the routes to one peer',
    breaks: 'INV010',
    scenario: 'step-scale',
    make: (seed) => ({ tellsRoute: (to, peer) => !(to === FIRST_HOST && isVictim(seed)(peer)) }),
  },
  {
    name: 'route-via-wrong-address',
    what: 'tells all hosts a wrong address for one peer',
    breaks: 'INV010',
    scenario: 'step-scale',
    make: (seed) => ({
      via: (peer, hostIP) => (isVictim(seed)(peer) ? hostIP.replace(/\d+$/, '254') : hostIP),
    }),
  },
  {
    name: 'stale-routes',
    what: 'does not tell daemons that peers have left',
    breaks: 'INV010',
    scenario: 'step-scale',
    make: () => ({ tellsAgain: (before, now) => [...now].some((host) => !before.has(host)) }),
  },
];
