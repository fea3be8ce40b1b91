import * as z from 'zod';
import { type Block, blockOf, blockSize, parseBlock, subnetCount } from '../../model/address.ts';
import type { CapacityLine } from '../../model/plan.ts';
import { uniqueNames } from '../../model/unique-names.ts';
import { OPERATOR_NAMESPACE } from './operator-kinds.ts';

/**
 * A pool lists all of its slices in one object, and etcd takes no request above 1.5 MiB. A slice with its node is up
 * to 59 bytes of JSON, so that 2^14 of them fit (0.9 MiB) and 2^15 do not (1.8 MiB).
 */
const MOST_BITS = 14;

const dnsLabel = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'expected a DNS label');

const network = z
  .strictObject({
    name: dnsLabel.meta({
      description: 'Name of the NetworkAttachmentDefinition, and the `network_name` in it.',
      examples: ['macvlan'],
    }),
    namespace: dnsLabel.default(OPERATOR_NAMESPACE).meta({
      description:
        'Namespace of the NetworkAttachmentDefinition. The pools are always in that of the controller, which is the default.',
    }),
    range: z
      .string()
      .refine((text) => parseBlock(text)?.version === 4, {
        error: ({ input }) => `expected an IPv4 CIDR, got ${JSON.stringify(input)}`,
      })
      .meta({
        description: 'The range that is cut into slices.',
        examples: ['10.128.0.0/16'],
      }),
    nodeSliceSize: z
      .int()
      .min(1)
      .max(32)
      .meta({
        description: `Prefix length of a node's slice (\`node_slice_size\`). At most 2^${MOST_BITS} slices.`,
        examples: [24],
      }),
  })
  .superRefine(({ range, nodeSliceSize }, context) => {
    const block = parseBlock(range);
    if (block?.version !== 4 || nodeSliceSize < 1 || nodeSliceSize > 32) return; // said already
    const message = sliceSizeProblem(block, nodeSliceSize);
    if (message !== undefined)
      context.addIssue({ code: 'custom', path: ['nodeSliceSize'], message });
  });
/** One network, as a scenario asks for it. */
export type Network = z.output<typeof network>;

function sliceSizeProblem({ cidr, prefix }: Block, size: number): string | undefined {
  const longest = Math.min(32, prefix + MOST_BITS);
  if (size >= prefix && size <= longest) return undefined;
  const expected = `expected a prefix length from ${prefix} to ${longest} for the range ${cidr}`;
  if (size < prefix) return `${expected}, which is smaller than one slice of /${size}`;
  return (
    `${expected}: a NodeSlicePool lists all of its slices in one object, and 2^${size - prefix} = ` +
    `${2 ** (size - prefix)} of them are more than a message to the API server can hold (at most ${2 ** MOST_BITS} here)`
  );
}

/** `networks` of a scenario for this operator. */
export const networks = z
  .array(network)
  .min(1)
  // Of two definitions with one network_name and unlike ranges the controller serves neither.
  .superRefine(uniqueNames);

export const sliceCount = ({ range, nodeSliceSize }: Network): number =>
  subnetCount(blockOf(range), nodeSliceSize);

/** Whether a network has a slice for each of so many nodes. */
export function capacityOf(one: Network, nodes: number): CapacityLine {
  const { name, range, nodeSliceSize } = one;
  const block = blockOf(range);
  const available = sliceCount(one);
  return {
    network: name,
    needed: nodes,
    available,
    milestones: ['slice'],
    remedy: 'take a larger range or smaller slices',
    text:
      `${nodes} nodes × 1 slice = ${nodes} slices needed; ${range} (${blockSize(block)} addresses) ` +
      `÷ /${nodeSliceSize} (2^${32 - nodeSliceSize} addresses) = 2^${nodeSliceSize - block.prefix} = ${available} slices`,
  };
}
