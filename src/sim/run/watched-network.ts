import { formatDuration } from '../base/duration.ts';
import type { JsonObject } from '../base/json.ts';
import { count, some } from '../base/text.ts';
import type { RunMs } from '../base/units.ts';
import type { CounterState, NetworkState } from '../ledger/cluster-fold.ts';
import type { OperatorProfile } from '../model/operator-profile.ts';
import { printable, table } from '../report/format.ts';

/** What decides how a network is shown. */
export type Columns = Pick<OperatorProfile, 'counterNames' | 'watched'>;

/** A network as it is shown: how it stands, and how fast its last counter grows. */
export interface ShownNetwork extends NetworkState {
  /** Per second. */
  readonly rate: number;
}

const MOST_NAMES = 5;

/** The number whose growth is the rate: the last counter, or else the nodes that lack nothing. */
export function progressOf(state: NetworkState, { counterNames }: Columns): number {
  const last = counterNames.at(-1);
  if (last !== undefined) return valueOf(state, last);
  return state.nodes - [...state.missing.values()].reduce((sum, nodes) => sum + nodes.length, 0);
}

/** Whether every node has all that the profile asks for, and each counter is right. Of nothing, nothing is complete. */
export const areComplete = (networks: readonly NetworkState[], columns: Columns): boolean =>
  networks.length > 0 && networks.every((state) => isComplete(state, columns));

const isComplete = (state: NetworkState, { counterNames }: Columns): boolean =>
  state.nodes > 0 &&
  state.missing.size === 0 &&
  counterNames.every((name) => valueOf(state, name) === state.nodes);

/** The networks as a table, below each what its nodes lack. */
export function tableLines(
  networks: readonly ShownNetwork[],
  columns: Columns,
  now: RunMs,
): readonly string[] {
  const { counterNames, watched } = columns;
  const pools = (cell: string): readonly string[] => (watched.hasPools ? [cell] : []);
  const heading = ['network', 'nodes', ...counterNames, 'blocks', ...pools('pools'), 'rate'];
  const [head = '', ...rows] = table([
    heading.map((name) => name.toUpperCase()),
    ...networks.map((one) => [
      one.network,
      String(one.nodes),
      ...counterNames.map((name) => counterText(one.counters.get(name))),
      String(one.blocks),
      ...pools(String(one.pools)),
      rateText(one),
    ]),
  ]);
  return [
    `after ${formatDuration(now)}: ${count(networks.length, 'network')}`,
    ...(networks.length > 0 ? [head] : []),
    ...networks.flatMap((one, i) => [
      rows[i] ?? '',
      ...lacks(one, columns).map((lack) => `  ${lack}`),
    ]),
  ].map(printable);
}

/** A network in a line for a log: `net: nodes 2, total 2, processed 1, blocks 1, 0.5/s; no block (1): sim-2`. */
export function networkLine(network: ShownNetwork, columns: Columns): string {
  const { counterNames, watched } = columns;
  const figures = [
    `nodes ${network.nodes}`,
    ...counterNames.map((name) => `${name} ${counterText(network.counters.get(name))}`),
    `blocks ${network.blocks}`,
    ...(watched.hasPools ? [`pools ${network.pools}`] : []),
    rateText(network),
  ].join(', ');
  return printable(`${network.network}: ${[figures, ...lacks(network, columns)].join('; ')}`);
}

/** A network as one JSON object, for programs. `fellFrom` has only the counters that are below a value they had. */
export function networkJson(network: ShownNetwork, columns: Columns, now: RunMs): JsonObject {
  const fallen = [...network.counters].flatMap(([name, { fellFrom }]) =>
    fellFrom === undefined ? [] : [[name, fellFrom] as const],
  );
  return {
    atMs: Math.round(now),
    network: network.network,
    nodes: network.nodes,
    counters: Object.fromEntries(
      columns.counterNames.map((name) => [name, valueOf(network, name)] as const),
    ),
    ...(fallen.length > 0 ? { fellFrom: Object.fromEntries(fallen) } : {}),
    blocks: network.blocks,
    ...(columns.watched.hasPools ? { pools: network.pools } : {}),
    perSecond: Math.round(network.rate * 10) / 10,
    missing: Object.fromEntries(network.missing),
  };
}

/** `no block (12): sim-7, sim-8, …`, for each milestone that somebody lacks. */
const lacks = ({ missing }: NetworkState, { watched }: Columns): readonly string[] =>
  watched.milestones.flatMap(({ name, lack }) => {
    const nodes = missing.get(name);
    return nodes ? [`${lack} (${nodes.length}): ${some(nodes, MOST_NAMES)}`] : [];
  });

const valueOf = ({ counters }: NetworkState, name: string): number =>
  counters.get(name)?.value ?? 0;

function counterText(state: CounterState | undefined): string {
  if (!state) return '0';
  return state.fellFrom === undefined
    ? String(state.value)
    : `${state.value} (fell from ${state.fellFrom})`;
}

const rateText = ({ rate }: ShownNetwork): string => `${rate.toFixed(1)}/s`;
