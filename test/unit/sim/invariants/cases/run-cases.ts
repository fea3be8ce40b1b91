import { pod, twoNodes, twoServed, rows, tables } from '../../../../helpers/two-nodes.ts';
import { HistoryBuilder } from '../../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../../helpers/planned-scenario.ts';
import type { InvariantCases } from './case.ts';

const BLOCKS = {
  a: { node: 'sim-1', cidr: '10.0.0.0/24' },
  b: { node: 'sim-2', cidr: '10.0.1.0/24' },
};

/** Guarantees about the recording, the controller and the nodes themselves. */
export const RUN_CASES: Readonly<Record<string, InvariantCases>> = {
  INV000: {
    held: { history: () => twoServed().snapshot().end(), checked: 3 },
    broken: {
      history: () => twoServed().at(3000).gap(2500).snapshot().end(),
      findings: [
        {
          message: 'the watch of nodes was lost from 2.500 s to 3.000 s: 410 Gone',
          atMs: 2500,
          objects: ['nodes'],
        },
      ],
    },
    notApplicable: { history: twoServed, reason: 'the run was not completed (no end)' },
  },
  INV011: {
    held: { history: () => pod(twoServed(), 1), checked: 3 },
    broken: {
      history: () =>
        HistoryBuilder.of(scenarioOf()).at(100).node(1).at(200).node(2, {
          internalIP: '127.64.0.1',
        }),
      findings: [
        {
          message: 'sim-1 and sim-2 both have the address 127.64.0.1 at 0.200 s',
          atMs: 200,
          objects: ['nodes/sim-1', 'nodes/sim-2'],
        },
      ],
    },
    notApplicable: {
      history: () => HistoryBuilder.of(scenarioOf()),
      reason: 'there was no fake node',
    },
  },
  INV012: {
    held: { history: twoServed, checked: 1 },
    broken: {
      history: () =>
        twoServed().at(5000).controller('exited', { pid: 100, asked: false, how: 'code 2' }),
      findings: [
        {
          message: 'the controller exited unasked at 5.000 s (code 2)',
          atMs: 5000,
          objects: ['process 100'],
        },
      ],
    },
    notApplicable: {
      history: () => HistoryBuilder.of(scenarioOf()),
      reason: 'no controller of ours became ready',
    },
  },
  INV013: {
    held: { history: twoServed, checked: 1 },
    broken: {
      history: () => {
        const history = rows(tables().at(400), BLOCKS);
        rows(history.at(900), BLOCKS);
        return rows(history.at(1000), BLOCKS).at(2400).finish();
      },
      findings: [
        {
          message: '2 writes at rest after scale-2, first at 0.900 s: tables/t',
          atMs: 900,
          objects: ['tables/t'],
        },
      ],
    },
    notApplicable: {
      history: () => twoNodes().at(120_000).finish(),
      reason: 'no step settled but restarts, taints and faults',
    },
  },
};
