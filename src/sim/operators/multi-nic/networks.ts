import * as z from 'zod';
import { parseBlock } from '../../model/address.ts';
import type { ExpectedBlocks, NicPlan } from '../../model/operator-profile.ts';
import { uniqueNames } from '../../model/unique-names.ts';

const cidr = z.string().refine((text) => parseBlock(text)?.version === 4, {
  error: ({ input }) => `expected an IPv4 CIDR, got ${JSON.stringify(input)}`,
});

const network = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'expected a DNS label')
      .max(40)
      .meta({ description: 'Name of the MultiNicNetwork.', examples: ['multi-nic-sample'] }),
    subnet: cidr.meta({
      description: 'The range of all pods of the network.',
      examples: ['192.168.0.0/16'],
    }),
    hostBlock: z.int().min(0).max(16).meta({
      description:
        'Bits for the host: the network has blocks for 2^hostBlock nodes on each interface.',
    }),
    interfaceBlock: z.int().min(0).max(8).meta({
      description:
        'Bits for the interface: the network has blocks for 2^interfaceBlock interfaces.',
    }),
    vlanMode: z.enum(['l2', 'l3', 'l3s']).default('l3').meta({
      description: 'Whether daemons are told routes: `l3` and `l3s`.',
    }),
    masterNets: z.array(cidr).default([]).meta({
      description:
        'Interface networks that the network uses. The first NIC of each fake node is in 10.0.0.0/16, the second in 10.1.0.0/16, and so on. Default: all there are.',
    }),
    excludeCIDRs: z
      .array(cidr)
      .default([])
      .meta({ description: 'Ranges that are given to nobody.' }),
  })
  .superRefine(({ subnet, hostBlock, interfaceBlock }, context) => {
    const block = parseBlock(subnet);
    if (block?.version !== 4) return; // said already
    const podBits = 32 - block.prefix - hostBlock - interfaceBlock;
    if (podBits < 3)
      context.addIssue({
        code: 'custom',
        path: ['subnet'],
        message:
          `expected room for pods: ${subnet} less ${interfaceBlock} bits for interfaces and ${hostBlock} for hosts ` +
          `leaves ${podBits} of at least 3 bits`,
      });
  });
/** One MultiNicNetwork, as a scenario asks for it. */
export type Network = z.output<typeof network>;

/** `networks` of a scenario for this operator. */
export const networks = z.array(network).min(1).superRefine(uniqueNames);

/** NIC k of node i is `10.k.(i>>8).(i&255)` in `10.k.0.0/16`. Nothing is ever sent there. */
export const nicsOf = (interfaces: readonly string[], node: number): readonly NicPlan[] =>
  interfaces.map((interfaceName, k) => ({
    interfaceName,
    netAddress: `10.${k}.0.0/16`,
    hostIP: `10.${k}.${node >> 8}.${node & 255}`,
  }));

/** A block for each interface that the network uses. */
export const expectedOf = (
  { name, masterNets }: Network,
  interfaces: readonly string[],
): readonly ExpectedBlocks[] =>
  nicsOf(interfaces, 1)
    .filter(({ netAddress }) => masterNets.length === 0 || masterNets.includes(netAddress))
    .map(({ interfaceName }) => ({ network: name, interface: interfaceName, count: 1 }));
