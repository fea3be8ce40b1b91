import { networkFor } from '../../../../helpers/planned-scenario.ts';
import { rows, tables, twoNodes, twoRemoved, twoServed } from '../../../../helpers/two-nodes.ts';
import type { InvariantCases } from './case.ts';

const lease = (node: string, owner: string, address: string) => ({ node, owner, address });

/** Guarantees about blocks and leases. */
export const BLOCK_CASES: Readonly<Record<string, InvariantCases>> = {
  INV001: {
    held: {
      history: () =>
        rows(tables(), {
          a: lease('sim-1', 'pod-a', '10.0.0.1'),
          b: lease('sim-2', 'pod-b', '10.0.0.2'),
        }),
      checked: 2,
    },
    broken: {
      history: () => {
        const history = rows(tables(), { a: lease('sim-1', 'pod-a', '10.0.0.1') });
        return rows(history.at(700), {
          a: lease('sim-1', 'pod-a', '10.0.0.1'),
          b: lease('sim-2', 'pod-b', '10.0.0.1'),
        });
      },
      findings: [
        {
          message: '10.0.0.1 on net is held by pod-a and by pod-b at 0.700 s',
          atMs: 700,
          objects: ['tables/t', 'tables/t'],
        },
      ],
    },
    notApplicable: { history: twoServed, reason: 'no address was leased' },
  },
  INV002: {
    held: { history: twoServed, checked: 2 },
    broken: {
      history: () => twoNodes().at(300).serve(1).at(400).serve(2, '10.244.0.0/24'),
      findings: [
        {
          message:
            'on pods, 10.244.0.0/24 of sim-1 and 10.244.0.0/24 of sim-2 overlap since 0.400 s',
          atMs: 400,
          objects: ['nodes/sim-1', 'nodes/sim-2'],
        },
      ],
    },
    notApplicable: { history: twoNodes, reason: 'no block was given to any node' },
  },
  INV003: {
    held: { history: twoServed, checked: 2 },
    broken: {
      history: () => twoNodes().at(300).serve(1).at(400).serve(2, '10.99.0.0/24'),
      findings: [
        {
          message: '10.99.0.0/24 of sim-2 on pods is outside 10.244.0.0/16 (since 0.400 s)',
          atMs: 400,
          objects: ['nodes/sim-2'],
        },
      ],
    },
    notApplicable: { history: twoNodes, reason: 'no block was given to any node' },
  },
  INV004: {
    held: { history: twoServed, checked: 2 },
    broken: {
      history: () =>
        twoNodes()
          .at(300)
          .serve(1)
          .at(400)
          .serve(2, '10.244.1.0/24', '10.244.2.0/24')
          .at(2400)
          .finish(),
      findings: [
        {
          message:
            'sim-2 has 2 blocks (10.244.1.0/24, 10.244.2.0/24) on pods instead of 1 after scale-2',
          atMs: 2400,
          objects: ['nodes/sim-2', 'nodes/sim-2', 'nodes/sim-2'],
        },
      ],
    },
    notApplicable: {
      history: () => twoNodes().at(130_000).finish(),
      reason: 'no step settled with nodes',
    },
  },
  INV007: {
    held: { history: twoServed, checked: 2 },
    broken: {
      history: () => twoServed().at(5000).serve(1, '10.244.7.0/24'),
      findings: [
        {
          message: 'sim-1 lost 10.244.0.0/24 on pods at 5.000 s and got 10.244.7.0/24 instead',
          atMs: 5000,
          objects: ['nodes/sim-1', 'nodes/sim-1'],
        },
      ],
    },
    notApplicable: { history: twoNodes, reason: 'no node had a block' },
  },
  INV014: {
    held: { history: twoServed, checked: 1 },
    broken: {
      history: () =>
        twoNodes({ networks: [networkFor(8)] })
          .at(300)
          .serve(1)
          .at(120_000)
          .finish(),
      findings: [
        {
          message:
            '1 node without a block on pods while 7 blocks are free, at the end of scale-2: sim-2',
          atMs: 120_000,
          objects: ['nodes/sim-2'],
        },
      ],
    },
    notApplicable: {
      history: () => tables().at(120_000).finish(),
      reason: 'no step settled with nodes on a network whose number of blocks is known',
    },
  },
};

/** Guarantees about what is gone. */
export const REMOVAL_CASES: Readonly<Record<string, InvariantCases>> = {
  INV006: {
    held: { history: () => twoRemoved().at(33_000).canary(), checked: 2 },
    broken: {
      history: () => {
        const history = rows(
          tables({
            steps: [{ scale: { to: 2 } }, { scale: { to: 1, within: '10s' } }],
          }),
          {
            a: { node: 'sim-1', cidr: '10.0.0.0/24' },
            b: { node: 'sim-2', cidr: '10.0.1.0/24' },
          },
        );
        history.at(2400).finish().at(3000).begin('scale-1').act().removeNode(2);
        return history.at(33_000).canary();
      },
      findings: [
        {
          message:
            'tables/t still speaks of sim-2 (block) 30.000 s after the node was gone at 3.000 s',
          atMs: 3000,
          objects: ['tables/t', 'nodes/sim-2'],
        },
      ],
    },
    notApplicable: { history: twoServed, reason: 'no node was removed' },
  },
};
