import { isInside, parseBlock, type Block } from '../../model/address.ts';
import type { CapacityLine } from '../../model/plan.ts';
import { expectedOf, type Network } from './networks.ts';

/** Blocks for hosts on one interface that no exclude covers. All interfaces have about as many. */
export function hostBlocks({ subnet, hostBlock, interfaceBlock, excludeCIDRs }: Network): number {
  const range = blockOf(subnet);
  const prefix = range.prefix + interfaceBlock + hostBlock;
  const size = 1n << BigInt(32 - prefix);
  const excludes = excludeCIDRs.map(blockOf).filter((exclude) => exclude.prefix <= prefix);
  const first = firstFreeInterface(range, interfaceBlock, excludes);
  let free = 0;
  for (let n = 0n; n < 2n ** BigInt(hostBlock); n++) {
    const base = first + n * size;
    const block: Block = { ...range, prefix, first: base, last: base + size - 1n };
    if (!excludes.some((exclude) => isInside(block, exclude))) free++;
  }
  return free;
}

function firstFreeInterface(
  range: Block,
  interfaceBlock: number,
  excludes: readonly Block[],
): bigint {
  const prefix = range.prefix + interfaceBlock;
  const size = 1n << BigInt(32 - prefix);
  for (let k = 0n; k < 2n ** BigInt(interfaceBlock); k++) {
    const first = range.first + k * size;
    const block: Block = { ...range, prefix, first, last: first + size - 1n };
    if (!excludes.some((exclude) => isInside(block, exclude))) return first;
  }
  return range.first;
}

/** Whether a network can hold so many nodes: hosts per interface, and interfaces. */
export function capacityOf(
  one: Network,
  interfaces: readonly string[],
  nodes: number,
): readonly CapacityLine[] {
  const { name, hostBlock, interfaceBlock, excludeCIDRs } = one;
  const used = expectedOf(one, interfaces).length;
  const available = hostBlocks(one);
  const excluded = 2 ** hostBlock - available;
  return [
    {
      network: name,
      needed: nodes,
      available,
      milestones: ['cidr', 'pools', 'routes'],
      text:
        `${nodes} nodes need ${nodes} host blocks per interface; hostBlock ${hostBlock} gives 2^${hostBlock} = ` +
        `${2 ** hostBlock}${excluded > 0 ? `, less ${excluded} excluded = ${available}` : ''} blocks`,
    },
    {
      network: name,
      needed: used,
      available: 2 ** interfaceBlock,
      milestones: ['cidr', 'pools', 'routes'],
      text:
        `${used} interfaces need ${used} interface blocks; interfaceBlock ${interfaceBlock} gives ` +
        `2^${interfaceBlock} = ${2 ** interfaceBlock} blocks${excludeCIDRs.length > 0 ? ' (before excludes)' : ''}`,
    },
  ];
}

function blockOf(text: string): Block {
  const block = parseBlock(text);
  if (!block) throw new RangeError(`not a CIDR: ${text}`);
  return block;
}
