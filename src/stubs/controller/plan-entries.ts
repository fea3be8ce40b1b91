import { blockAt, formatRange, isCovered, parseRange, type Range } from './arithmetic.ts';
import type { Mutation } from './mutants.ts';
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
      hosts: planRows(
        network,
        vlan,
        netAddress,
        hosts,
        mutation.startingRows(before, network.name, netAddress),
        starved,
        mutation,
      ),
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
  const onLink = hosts.flatMap((host) => {
    const nic = host.nics.find((candidate) => candidate.netAddress === netAddress);
    return nic ? [{ host, nic }] : [];
  });
  const present = new Set(onLink.map(({ host }) => host.name));
  const kept = before.filter(({ hostName }) => present.has(hostName));
  const taken = new Map(kept.map(({ hostName, hostIndex }) => [hostName, hostIndex]));
  const used = new Set(taken.values());
  return onLink.flatMap(({ host, nic }): Row[] => {
    if (mutation.forgets(host.name)) return [];
    const index =
      taken.get(host.name) ??
      mutation.freeIndex(
        host.name,
        lowestFree(2 ** network.hostBlock, used, (n) =>
          isExcluded(blockAt(vlan, podPrefix, n), network),
        ),
        taken,
      );
    if (index === undefined) {
      starved.add(host.name);
      return [];
    }
    taken.set(host.name, index);
    used.add(index);
    const podCIDR = formatRange(mutation.block(host.name, blockAt(vlan, podPrefix, index)));
    return [
      {
        hostIndex: index,
        hostName: host.name,
        interfaceName: nic.interfaceName,
        hostIP: nic.hostIP,
        podCIDR,
        ippool: poolName(network.name, podCIDR),
      },
    ];
  });
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
