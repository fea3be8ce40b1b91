import { type Block, blockOf, isInside } from '../../model/address.ts';
import { LEASES } from '../../model/metric.ts';
import type { CapacityLine } from '../../model/plan.ts';
import { expectedOf, nicsOf, type Network } from './networks.ts';

/**
 * How many host blocks are free on each interface, in the order of the interface blocks. As the operator has it: a
 * block is passed over when one exclude covers all of it; smaller excludes are the pool's affair. Interface blocks
 * that are excluded as a whole are given to nobody. Fewer numbers than interfaces: the others find no block.
 */
export function hostBlocks(network: Network, interfaces: number): readonly number[] {
  const { hostBlock, excludeCIDRs } = network;
  const excludes = excludeCIDRs.map(blockOf);
  return freeInterfaceBlocks(network)
    .slice(0, interfaces)
    .map((block) => {
      const hostPrefix = block.prefix + hostBlock;
      const whole = excludes.filter((one) => one.prefix <= hostPrefix && isInside(one, block));
      return outermost(whole).reduce(
        (free, { prefix }) => free - 2 ** (hostPrefix - prefix),
        2 ** hostBlock,
      );
    });
}

function freeInterfaceBlocks({ subnet, interfaceBlock, excludeCIDRs }: Network): readonly Block[] {
  const range = blockOf(subnet);
  const prefix = range.prefix + interfaceBlock;
  const size = 1n << BigInt(32 - prefix);
  const excludes = excludeCIDRs.map(blockOf);
  return Array.from({ length: 2 ** interfaceBlock }, (_, k): Block => {
    const first = range.first + BigInt(k) * size;
    return { ...range, prefix, first, last: first + size - 1n };
  }).filter((block) => !excludes.some((exclude) => isInside(block, exclude)));
}

/** Of ranges that lie within one another, the largest; of equal ones, the first. */
const outermost = (ranges: readonly Block[]): readonly Block[] =>
  ranges.filter(
    (range, i) =>
      !ranges.some((other, j) => isInside(range, other) && (other.prefix < range.prefix || j < i)),
  );

/** What a node without a block cannot have. */
const SERVED = ['cidr', 'pools', 'routes', LEASES];

/** The published allocator never gives out the first address of a pool, nor the last two. */
const NEVER_GIVEN = 3;

/** Addresses that pods can have of one host block, excludes smaller than a block apart. */
export const leasesPerBlock = ({ subnet, hostBlock, interfaceBlock }: Network): number =>
  2 ** (32 - blockOf(subnet).prefix - interfaceBlock - hostBlock) - NEVER_GIVEN;

/** Whether a network can hold so many nodes with so many pods: hosts per interface, interfaces, and addresses. */
export function capacityOf(
  one: Network,
  interfaces: readonly string[],
  nodes: number,
  podsPerNode = 0,
): readonly CapacityLine[] {
  const { name, hostBlock, interfaceBlock } = one;
  const used = expectedOf(one, interfaces).length;
  if (used === 0) return [withoutInterfaces(one, interfaces)];
  const hosts = Math.min(2 ** hostBlock, ...hostBlocks(one, used));
  const links = freeInterfaceBlocks(one).length;
  const available = links === 0 ? 0 : hosts;
  return [
    {
      network: name,
      needed: nodes,
      available,
      milestones: SERVED,
      text:
        `${nodes} nodes need ${nodes} host blocks per interface; hostBlock ${hostBlock} gives ` +
        `${arithmetic(hostBlock, available)} blocks`,
      remedy: 'raise hostBlock',
    },
    {
      network: name,
      needed: used,
      available: links,
      milestones: SERVED,
      text:
        `${used} interfaces need ${used} interface blocks; interfaceBlock ${interfaceBlock} gives ` +
        `${arithmetic(interfaceBlock, links)} blocks`,
      remedy: 'raise interfaceBlock, or use fewer interfaces',
      // Every node would be without a block on one of its interfaces.
      isVital: true,
    },
    ...(podsPerNode > 0 ? [podLine(one, podsPerNode)] : []),
  ];
}

function podLine(one: Network, pods: number): CapacityLine {
  const prefix = blockOf(one.subnet).prefix + one.interfaceBlock + one.hostBlock;
  const available = leasesPerBlock(one);
  return {
    network: one.name,
    needed: pods,
    available,
    of: 'address',
    milestones: [], // every node is served, though not every pod
    text:
      `${pods} pods on a node need ${pods} addresses of each of its blocks; a /${prefix} gives ` +
      `2^${32 - prefix} - ${NEVER_GIVEN} = ${available}`,
    remedy: 'lower hostBlock or interfaceBlock, or ask for fewer pods',
  };
}

function withoutInterfaces({ name }: Network, interfaces: readonly string[]): CapacityLine {
  const links = nicsOf(interfaces, 1).map(
    ({ interfaceName, netAddress }) => `${interfaceName} is in ${netAddress}`,
  );
  return {
    network: name,
    needed: 1,
    available: 0,
    milestones: SERVED,
    text: `masterNets names none of the interface networks of the nodes: ${links.join(', ')}`,
    remedy: 'name some of these, or leave masterNets out',
    isVital: true,
  };
}

/** `2^8 = 256`, `2^8 = 256, less 4 excluded = 252`. */
function arithmetic(bits: number, free: number): string {
  const all = 2 ** bits;
  return `2^${bits} = ${all}${free < all ? `, less ${all - free} excluded = ${free}` : ''}`;
}
