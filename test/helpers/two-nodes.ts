import type { JsonObject } from '../../src/sim/base/json.ts';
import { HistoryBuilder } from './history-builder.ts';
import { scenarioOf } from './planned-scenario.ts';
import { tableScenario, type TableRow } from './table-profile.ts';

/** Two nodes seen at 100 ms; nobody has served them yet. */
export const twoNodes = (changes: JsonObject = {}): HistoryBuilder =>
  HistoryBuilder.of(scenarioOf(changes)).ready().begin('scale-2').act().at(100).node(1).node(2);

/** They are served at 300 and 400 ms, and the step has settled at 2400 ms. */
export const twoServed = (changes: JsonObject = {}): HistoryBuilder =>
  twoNodes(changes).at(300).serve(1).at(400).serve(2).at(2400).finish();

/** The same, and then taken away from 3000 ms on. */
export const twoRemoved = (remove = 'node-first'): HistoryBuilder =>
  twoServed({ steps: [{ scale: { to: 2 } }, { scale: { to: 0, remove, within: '10s' } }] })
    .at(3000)
    .begin('scale-0')
    .act()
    .removeNode(2)
    .removeNode(1);

/** A pod on a node, with the node's address unless another one is given. */
export const pod = (
  history: HistoryBuilder,
  node: number,
  fields: JsonObject = {},
): HistoryBuilder =>
  history.object(
    'pods',
    { name: `pod-${node}`, namespace: 'default' },
    {
      fields: {
        nodeName: `sim-${node}`,
        hostNetwork: true,
        phase: 'Running',
        hostIP: `127.64.0.${node}`,
        podIPs: [`127.64.0.${node}`],
        ready: true,
        ...fields,
      },
    },
  );

/** An operator with a table, in the middle of a step to two nodes. */
export const tables = (changes: JsonObject = {}): HistoryBuilder =>
  HistoryBuilder.ofTables(tableScenario(changes)).begin('scale-2').act().at(100).node(1).node(2);

/** The rows of its table as they are from now on. */
export const rows = (
  history: HistoryBuilder,
  table: Readonly<Record<string, TableRow>>,
): HistoryBuilder =>
  history.object(
    'tables',
    { name: 't' },
    { fields: { network: 'net' }, rows: table as unknown as Record<string, JsonObject> },
  );
