import { NODES } from '../../model/core-resources.ts';
import {
  defineProfile,
  type OperatorModel,
  type WatchedCluster,
} from '../../model/operator-profile.ts';
import { capacityOf, networks, sliceCount } from './networks.ts';
import { NODE_SLICE_POOLS } from './node-slice-pools.ts';

const watched: WatchedCluster = {
  resources: [NODE_SLICE_POOLS, NODES],
  networks: (objectsOf) => objectsOf(NODE_SLICE_POOLS.id).map(({ name }) => name),
  serves: () => true,
  milestones: [
    {
      name: 'slice',
      lack: 'no slice',
      lacking: (network, nodes, view) =>
        nodes.filter((node) => !view.of(node, 'block').some((block) => block.network === network)),
    },
  ],
  hasPools: false,
};

/**
 * The node-slice controller of whereabouts: one slice per node and network, in the network's NodeSlicePool. A later
 * milestone, `pool`, will be the IPPool that whereabouts makes when the first pod on a node asks for an address.
 */
export const whereaboutsProfile = defineProfile({
  name: 'whereabouts',
  title: 'The node-slice controller of whereabouts gives every node a slice of every network',
  networks,
  options: {},
  nodeOptions: {},
  milestoneNames: ['slice'],
  counterNames: [],
  controllers: ['toolchain', 'command'],
  watched,
  build: ({ networks: list }): OperatorModel => ({
    clusterArguments: {},
    capacity: (nodes) => list.map((one) => capacityOf(one, nodes)),
    resources: [NODE_SLICE_POOLS],
    milestones: [
      {
        name: 'slice',
        title: 'has a slice of every network',
        by: 'controller',
        holds: (node, view) => {
          const blocks = view.of(node, 'block');
          return list.every(({ name }) => blocks.some(({ network }) => network === name));
        },
      },
    ],
    counters: [],
    networks: list.map((one) => ({
      name: one.name,
      subnets: [one.range],
      excludes: [],
      blocks: sliceCount(one),
    })),
    expectedBlocks: () => list.map(({ name }) => ({ network: name, interface: '', count: 1 })),
    hasPools: false,
    daemons: undefined,
    routedNetworks: [],
  }),
});
