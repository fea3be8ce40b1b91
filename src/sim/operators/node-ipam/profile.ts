import * as z from 'zod';
import { sameJson } from '../../base/json.ts';
import { blockOf, blockSize, isInside, parseBlock, subnetCount } from '../../model/address.ts';
import { nodeFields, NODES } from '../../model/core-resources.ts';
import type { BlockFact, Fact } from '../../model/facts.ts';
import {
  defineProfile,
  type ClusterArguments,
  type ObservedObject,
  type OperatorModel,
  type WatchedCluster,
} from '../../model/operator-profile.ts';
import type { CapacityLine } from '../../model/plan.ts';
import { uniqueNames } from '../../model/unique-names.ts';

/** The controller-manager refuses to cut a range into more than 2^16 blocks. */
const MOST_BITS = 16;

const network = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'expected a DNS label')
      .meta({
        description: 'Name of the network in reports.',
        examples: ['pods'],
      }),
    range: z
      .string()
      .refine((text) => parseBlock(text) !== undefined, {
        error: ({ input }) => `expected an IPv4 or IPv6 CIDR, got ${JSON.stringify(input)}`,
      })
      .meta({
        description: 'The range that nodes get their blocks from (`cluster-cidr`).',
        examples: ['10.244.0.0/16'],
      }),
    nodeMask: z
      .int()
      .min(1)
      .max(128)
      .meta({
        description: "Prefix length of a node's block (`node-cidr-mask-size`).",
        examples: [24],
      }),
  })
  .superRefine(({ range, nodeMask }, context) => {
    const block = parseBlock(range);
    if (!block) return;
    const longest = Math.min(block.version === 4 ? 32 : 128, block.prefix + MOST_BITS);
    if (nodeMask < block.prefix || nodeMask > longest)
      context.addIssue({
        code: 'custom',
        path: ['nodeMask'],
        message: `expected a prefix length from ${block.prefix} to ${longest} for the range ${range}`,
      });
  });

type Network = z.output<typeof network>;

const networks = z
  .array(network)
  .min(1)
  .max(2)
  .superRefine(uniqueNames)
  .superRefine((list, context) => {
    const [a, b] = list.map(({ range }) => parseBlock(range)?.version);
    if (a !== undefined && a === b)
      context.addIssue({
        code: 'custom',
        path: [1, 'range'],
        message: 'expected one IPv4 and one IPv6 range: the controller-manager takes one of each',
      });
  });

const options = {
  leaderElect: z.boolean().default(true).meta({
    description:
      'Whether the controller-manager takes a lease before it works. With it, a restarted one waits for the old lease.',
  }),
};

/** Which ranges there are the API does not say: all blocks of a node are of one network. */
const WATCHED_NETWORK = 'pods';

const watched: WatchedCluster = {
  resources: [
    {
      ...NODES,
      facts: (node) => [
        ...NODES.facts(node),
        ...nodeFields.parse(node.fields).podCIDRs.map((cidr): BlockFact => ({
          kind: 'block',
          network: WATCHED_NETWORK,
          node: node.name,
          interface: '',
          cidr,
          parent: undefined,
        })),
      ],
    },
  ],
  networks: () => [WATCHED_NETWORK],
  serves: () => true,
  milestones: [
    {
      name: 'cidr',
      lack: 'no podCIDR',
      lacking: (_, nodes, view) => nodes.filter((node) => view.of(node, 'block').length === 0),
    },
  ],
  hasPools: false,
};

/** Node IPAM of the cluster's own controller-manager: one block per node and range, in `spec.podCIDRs`. */
export const nodeIpamProfile = defineProfile({
  name: 'node-ipam',
  title: "The cluster's own controller-manager gives every node its podCIDR",
  networks,
  options,
  nodeOptions: {},
  milestoneNames: ['cidr'],
  counterNames: [],
  controllers: ['cluster'],
  watched,
  build: ({ networks: list, options: { leaderElect } }): OperatorModel => ({
    clusterArguments: clusterArguments(list, leaderElect),
    capacity: (nodes) => list.map((entry) => capacityLine(entry, nodes)),
    resources: [
      {
        ...NODES,
        facts: (node) => [...NODES.facts(node), ...blocks(list, node)],
        // That a node comes or goes is the work of the step, not of the controller.
        unrest: ({ before, after }) =>
          before !== undefined &&
          after !== undefined &&
          !sameJson(before['podCIDRs'], after['podCIDRs']),
      },
    ],
    milestones: [
      {
        name: 'cidr',
        title: 'has its podCIDR',
        by: 'controller',
        holds: (node, view) => view.of(node, 'block').length >= list.length,
      },
    ],
    counters: [],
    networks: list.map(({ name, range, nodeMask }) => ({
      name,
      subnets: [range],
      excludes: [],
      blocks: subnetCount(blockOf(range), nodeMask),
    })),
    expectedBlocks: () => list.map(({ name }) => ({ network: name, interface: '', count: 1 })),
    hasPools: false,
    daemons: undefined,
    routedNetworks: [],
  }),
});

function clusterArguments(list: readonly Network[], leaderElect: boolean): ClusterArguments {
  const masks = list.map(({ range, nodeMask }): readonly [string, string] => [
    list.length === 1 ? 'node-cidr-mask-size' : `node-cidr-mask-size-ipv${blockOf(range).version}`,
    String(nodeMask),
  ]);
  return {
    'kube-controller-manager': {
      'allocate-node-cidrs': 'true',
      'cluster-cidr': list.map(({ range }) => range).join(','),
      'leader-elect': String(leaderElect),
      ...Object.fromEntries(masks),
    },
  };
}

function capacityLine({ name, range, nodeMask }: Network, nodes: number): CapacityLine {
  const block = blockOf(range);
  const available = subnetCount(block, nodeMask);
  const bits = (block.version === 4 ? 32 : 128) - nodeMask;
  return {
    network: name,
    needed: nodes,
    available,
    milestones: ['cidr'],
    remedy: 'take a larger range or smaller blocks',
    text:
      `${nodes} nodes × 1 block = ${nodes} blocks needed; ${range} (${blockSize(block)} addresses) ` +
      `÷ /${nodeMask} (2^${bits} addresses) = 2^${nodeMask - block.prefix} = ${available} blocks`,
  };
}

/** A block outside every range belongs to the network of its family: that it is outside is for INV003 to say. */
function blocks(list: readonly Network[], node: ObservedObject): readonly Fact[] {
  return nodeFields.parse(node.fields).podCIDRs.map((cidr): BlockFact => {
    const block = parseBlock(cidr);
    const home =
      list.find(({ range }) => block !== undefined && isInside(block, blockOf(range))) ??
      list.find(({ range }) => block?.version === blockOf(range).version) ??
      list[0];
    return {
      kind: 'block',
      network: home?.name ?? '',
      node: node.name,
      interface: '',
      cidr,
      parent: home?.range,
    };
  });
}
