import {
  MultiNicHistory,
  multiNicServed,
  routesTo,
} from '../../../../helpers/multi-nic-history.ts';
import { addressOf } from '../../../../helpers/multi-nic-raw.ts';
import { twoServed } from '../../../../helpers/two-nodes.ts';
import type { InvariantCases } from './case.ts';

const POOL = 'ippools/net-192.168.0.0-26';

/** An address for a pod of sim-1, of which the pool and the daemon say the same. */
const allocated = (): MultiNicHistory =>
  MultiNicHistory.begun()
    .at(500)
    .served(2)
    .granted(1, 'a', { 0: addressOf(1, 0, 1) })
    .leased(1, 0, { 1: 'a' });

/** Guarantees about pools, and about what daemons were told and gave out. */
export const DAEMON_CASES: Readonly<Record<string, InvariantCases>> = {
  INV005: {
    held: { history: multiNicServed, checked: 8 },
    broken: {
      history: () =>
        MultiNicHistory.begun()
          .at(500)
          .served(2)
          .pool(1, 0, { vlanCIDR: '192.168.64.0/18' })
          .at(2500)
          .finish(),
      findings: [
        {
          message:
            'block and pool of 192.168.0.0/26 disagree: parent is 192.168.0.0/18 in the block of sim-1 ' +
            'and 192.168.64.0/18 in the pool after scale-2 at 2.500 s',
          atMs: 2500,
          objects: ['cidrs/net', POOL],
        },
      ],
    },
    notApplicable: { history: twoServed, reason: 'the operator has no pools' },
  },
  INV008: {
    held: { history: () => allocated().at(2500).finish(), checked: 2 },
    broken: {
      history: () => allocated().at(700).pool(1, 0).at(2700).finish(),
      findings: [
        {
          message:
            '192.168.0.1 was granted to default/a on sim-1 (eth0) but is in no pool, after scale-2 at 2.700 s',
          atMs: 2700,
          objects: ['daemons/sim-1/grants/net/eth0/default/a/192.168.0.1'],
        },
      ],
    },
    notApplicable: { history: multiNicServed, reason: 'no address was asked for' },
  },
  INV009: {
    held: { history: allocated, checked: 1 },
    broken: {
      history: () => {
        const row = { pod: 'a', namespace: 'default', index: 1, address: '192.168.0.65' };
        return MultiNicHistory.begun()
          .at(500)
          .served(2)
          .pool(1, 0, { allocations: [row] });
      },
      findings: [
        {
          message:
            '192.168.0.65 of default/a on sim-1 (eth0) is outside its pool 192.168.0.0/26 (since 0.500 s)',
          atMs: 500,
          objects: [POOL],
        },
      ],
    },
    notApplicable: { history: multiNicServed, reason: 'no address was leased by number' },
  },
  INV010: {
    held: { history: multiNicServed, checked: 2 },
    broken: {
      history: () =>
        MultiNicHistory.begunWithout('routes')
          .at(500)
          .servedButRoutes(2)
          .toldAll(1, 2)
          .told(2, routesTo(2, [1]).slice(1))
          .at(2500)
          .finish(),
      findings: [
        {
          message: 'the daemon of sim-2 was told 1 route on net, instead of 2, after scale-2',
          atMs: 2500,
          objects: ['nodes/sim-2', 'networks/net'],
        },
      ],
    },
    notApplicable: { history: twoServed, reason: 'no routes were to be told' },
  },
};
