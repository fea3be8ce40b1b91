import { blockAt, formatRange, isCovered, parseRange, type Range } from './arithmetic.ts';
import type { Mutation } from './mutation.ts';
import type { Entry, HostNic, Row } from './objects.ts';

/** A network as the controller allocates from it. */
export interface NetworkPlan {
  readonly name: string;
  readonly subnet: Range;
  readonly hostBlock: number;
  readonly interfaceBlock: number;
  readonly excludes: readonly Range[];
  readonly masterNets: readonly string[];
  /** Whether daemons are told routes. */
  readonly routed: boolean;
}

export interface Host {
  readonly name: string;
  readonly nics: readonly HostNic[];
}

/** What a network's CIDR object should say, and which hosts found no room. */
export interface PlannedEntries {
  readonly entries: readonly Entry[];
  readonly starved: readonly string[];
}

/**
 * Gives every host a block per interface. What a host has it keeps; a new one gets the lowest free index. Pure: the
 * same hosts and the same entries give the same answer.
 */
export function planEntries(
  network: NetworkPlan,
  hosts: readonly Host[],
  current: readonly Entry[],
  mutation: Mutation,
): PlannedEntries {
  const starved = new Set<string>();
  const links = linksOf(network, hosts, current);
  const entries = [...links].map(([netAddress, interfaceIndex]): Entry => {
    const vlanPrefix = network.subnet.prefix + network.interfaceBlock;
    const vlan = blockAt(network.subnet, vlanPrefix, interfaceIndex);
    const before = current.find((entry) => entry.netAddress === netAddress)?.hosts ?? [];
    return {
      netAddress,
      interfaceIndex,
      vlanCIDR: formatRange(vlan),
      hosts: planRows(network, vlan, netAddress, hosts, before, starved, mutation),
    };
  });
  return { entries: entries.filter(({ hosts: rows }) => rows.length > 0), starved: [...starved] };
}

/** The interface networks with their indexes: known ones keep theirs, new ones get the lowest free one. */
function linksOf(
  network: NetworkPlan,
  hosts: readonly Host[],
  current: readonly Entry[],
): ReadonlyMap<string, number> {
  const links = new Map(
    current.map(({ netAddress, interfaceIndex }) => [netAddress, interfaceIndex]),
  );
  const wanted = [
    ...network.masterNets,
    ...hosts.flatMap(({ nics }) => nics.map((nic) => nic.netAddress)),
  ];
  for (const netAddress of wanted) {
    const isMaster = network.masterNets.length === 0 || network.masterNets.includes(netAddress);
    if (!isMaster || links.has(netAddress)) continue;
    const index = lowestFree(2 ** network.interfaceBlock, new Set(links.values()), (k) =>
      isExcluded(
        blockAt(network.subnet, network.subnet.prefix + network.interfaceBlock, k),
        network,
      ),
    );
    if (index !== undefined) links.set(netAddress, index);
  }
  return links;
}

function planRows(
  network: NetworkPlan,
  vlan: Range,
  netAddress: string,
  hosts: readonly Host[],
  before: readonly Row[],
  starved: Set<string>,
  mutation: Mutation,
): readonly Row[] {
  const podPrefix = vlan.prefix + network.hostBlock;
  const count = 2 ** network.hostBlock;
  const onLink = hosts.flatMap((host) => {
    const nic = host.nics.find((candidate) => candidate.netAddress === netAddress);
    return nic ? [{ host, nic }] : [];
  });
  const present = new Set(onLink.map(({ host }) => host.name));
  const link = { name: `${network.name} ${netAddress}`, hosts: present };
  const start = mutation.startingRows(before, link);
  const left = start.filter((row) => !present.has(row.hostName) && mutation.keepsRow(row.hostName));
  const kept = start.filter(({ hostName }) => present.has(hostName));
  const taken = new Map(kept.map(({ hostName, hostIndex }) => [hostName, hostIndex]));
  const used = new Set([...left, ...kept].map(({ hostIndex }) => hostIndex));
  const planned = onLink.flatMap(({ host, nic }): readonly Row[] => {
    const { name } = host;
    if (mutation.forgets(name)) return [];
    const isBarred = (n: number): boolean =>
      mutation.respectsExcludes(name) && isExcluded(blockAt(vlan, podPrefix, n), network);
    const index =
      taken.get(name) ?? mutation.freeIndex(name, lowestFree(count, used, isBarred), link, taken);
    if (index === undefined) {
      starved.add(name);
      return [];
    }
    taken.set(name, index);
    used.add(index);
    return mutation
      .indexes(name, index, count - 1)
      .map((n) => rowOf(network, name, nic, n, mutation.block(name, blockAt(vlan, podPrefix, n))));
  });
  return [...left, ...planned];
}

function rowOf(
  network: NetworkPlan,
  hostName: string,
  { interfaceName, hostIP }: HostNic,
  hostIndex: number,
  block: Range,
): Row {
  const podCIDR = formatRange(block);
  const ippool = poolName(network.name, podCIDR);
  return { hostIndex, hostName, interfaceName, hostIP, podCIDR, ippool };
}

export const poolName = (network: string, podCIDR: string): string =>
  `${network}-${podCIDR.replace('/', '-')}`;

function lowestFree(
  count: number,
  used: ReadonlySet<number>,
  isBarred: (index: number) => boolean,
): number | undefined {
  for (let index = 0; index < count; index++)
    if (!used.has(index) && !isBarred(index)) return index;
  return undefined;
}

const isExcluded = (block: Range, { excludes }: NetworkPlan): boolean =>
  excludes.some((range) => isCovered(block, range));

/** A network object, read. */
export function networkPlan(
  name: string,
  subnet: string,
  ipam: {
    readonly hostBlock: number;
    readonly interfaceBlock: number;
    readonly excludeCIDRs: readonly string[];
    readonly vlanMode: string;
  },
  masterNets: readonly string[],
): NetworkPlan {
  return {
    name,
    subnet: parseRange(subnet),
    hostBlock: ipam.hostBlock,
    interfaceBlock: ipam.interfaceBlock,
    excludes: ipam.excludeCIDRs.map(parseRange),
    masterNets,
    routed: ipam.vlanMode === 'l3' || ipam.vlanMode === 'l3s',
  };
}
