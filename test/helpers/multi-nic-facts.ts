import { runMs } from '../../src/sim/base/units.ts';
import { FactBook } from '../../src/sim/ledger/fact-book.ts';
import type {
  AskFact,
  BlockFact,
  DaemonFact,
  Fact,
  FaultFact,
  InterfaceFact,
  LeaseFact,
  NodeFact,
  PoolFact,
} from '../../src/sim/model/facts.ts';
import type { NicPlan } from '../../src/sim/model/operator-profile.ts';
import { milestones, type NetworkNeeds } from '../../src/sim/operators/multi-nic/milestones.ts';
import { RouteTables } from '../../src/stubs/daemon/route-table.ts';
import { routesTo } from './multi-nic-history.ts';
import { addressOf, blockOf, hostIPOf, INTERFACES, linkOf, NETWORK } from './multi-nic-raw.ts';

const node = 'sim-1';
const network = NETWORK;
const EXPECTED = INTERFACES.map((name) => ({ network, interface: name, count: 1 }));
const LEASES_PER_BLOCK = 2;
export const needs = (name: string, isRouted = true): NetworkNeeds => ({
  name,
  blocks: EXPECTED.map((one) => ({ ...one, network: name })),
  leasesPerBlock: LEASES_PER_BLOCK,
  isRouted,
});
export const nics = (): readonly NicPlan[] =>
  INTERFACES.map((interfaceName) => ({
    interfaceName,
    hostIP: '10.0.0.1',
    netAddress: '10.0.0.0/16',
  }));
/** The milestones of one network with two interfaces, whose blocks have two addresses for pods. */
export const ALL = milestones(nics, [needs(network)]);

export const nodeFact = (internalIP?: string): NodeFact => ({
  kind: 'node',
  node,
  uid: 'u',
  run: 'r1',
  internalIP,
  taints: [],
});
export const daemon = (changes: Partial<DaemonFact> = {}): DaemonFact => ({
  kind: 'daemon',
  node,
  pod: 'd',
  address: '127.64.0.1',
  ready: true,
  ...changes,
});
export const nic = (name: string, of = node, address = '10.0.0.1'): InterfaceFact => ({
  kind: 'interface',
  node: of,
  interface: name,
  netAddress: '10.0.0.0/16',
  address,
});
export const block = (index: number, changes: Partial<BlockFact> = {}, of = 1): BlockFact => ({
  kind: 'block',
  network,
  node: `sim-${of}`,
  interface: `eth${index}`,
  cidr: blockOf(of, index),
  parent: undefined,
  link: { netAddress: linkOf(index), via: hostIPOf(of, index) },
  ...changes,
});
export const pool = (index: number, changes: Partial<PoolFact> = {}): PoolFact => ({
  kind: 'pool',
  network,
  node,
  interface: `eth${index}`,
  cidr: blockOf(1, index),
  parent: undefined,
  ...changes,
});
export const fault = (kind: string, name?: string, of = node): FaultFact => ({
  kind: 'fault',
  node: of,
  fault: kind,
  interface: name,
});
export const ask = (owner: string, of = node): AskFact => ({ kind: 'ask', node: of, owner });
export const lease = (
  owner: string,
  index: number,
  changes: Partial<LeaseFact> = {},
): LeaseFact => ({
  kind: 'lease',
  network,
  node,
  interface: `eth${index}`,
  owner,
  address: addressOf(1, index, 1),
  sharingKey: undefined,
  ...changes,
});
/** What the daemon of sim-1 has after it was told these routes. */
export const routes = (told = routesTo(1, [1, 2]), of = network): Fact => ({
  kind: 'routes',
  node,
  network: of,
  ...new RouteTables().add(of, told, true),
});

/** Whether a milestone holds for sim-1 when these facts are true. */
export function holds(name: string, facts: readonly Fact[], among = ALL): boolean {
  const book = new FactBook([]);
  facts.forEach((fact, seq) => book.tell(`source ${seq}`, [fact], { seq, atMs: runMs(seq) }));
  const milestone = among.find((one) => one.name === name);
  if (!milestone) throw new Error(`there is no milestone ${name}`);
  return milestone.holds(node, book);
}

/** The blocks of sim-1, and those of sim-2. */
export const OWN = [block(0), block(1)];
export const PEERS = [block(0, {}, 2), block(1, {}, 2)];

/** Whether a milestone holds, what is the case, and the facts. */
export type MilestoneCase = readonly [boolean, string, readonly Fact[]];
