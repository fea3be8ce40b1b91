import * as z from 'zod';
import { defineProfile, type OperatorModel } from '../../model/operator-profile.ts';
import { LEASES } from '../../model/metric.ts';
import { capacityOf, hostBlocks, leasesPerBlock } from './capacity.ts';
import { milestones } from './milestones.ts';
import { MULTI_NIC_DAEMON_MUTANTS, MULTI_NIC_MUTANTS } from './mutants.ts';
import { expectedOf, networks, nicsOf } from './networks.ts';
import { OPERATOR_NAMESPACE } from './operator-kinds.ts';
import { COUNTERS, MULTI_NIC_RESOURCES } from './resources.ts';
import { WATCHED_MULTI_NIC } from './watched.ts';

const options = {
  daemonPort: z.int().min(1024).max(65_535).default(11_000).meta({
    description: 'Port of the daemons, the same on every node; written into the Config object.',
  }),
  daemonMutant: z.enum(MULTI_NIC_DAEMON_MUTANTS).optional().meta({
    description:
      'The guarantee that one of the daemons breaks, by name; to see that it is noticed.',
  }),
};

const nodeOptions = {
  interfaces: z
    .array(z.string().regex(/^[a-z][a-z0-9.-]{0,14}$/, 'expected the name of an interface'))
    .min(1)
    .max(64)
    .refine((names) => new Set(names).size === names.length, 'expected each name once')
    .default(['eth0', 'eth1', 'eth2'])
    .meta({ description: 'Names of the NICs of each fake node.' }),
};

/** The multi-nic CNI operator: a block per node, interface and network, and a pool for each. */
export const multiNicProfile = defineProfile({
  name: 'multi-nic',
  title:
    'The multi-nic CNI operator: blocks and pools per node and interface, routes told to daemons',
  networks,
  options,
  nodeOptions,
  milestoneNames: ['daemon', 'interfaces', 'cidr', 'pools', 'routes', LEASES],
  counterNames: Object.keys(COUNTERS),
  hasDaemons: true,
  controllers: ['reference', 'command'],
  mutants: MULTI_NIC_MUTANTS,
  watched: WATCHED_MULTI_NIC,
  build: ({
    networks: list,
    options: { daemonPort, daemonMutant },
    nodes: { interfaces },
  }): OperatorModel => {
    const expected = list.flatMap((one) => expectedOf(one, interfaces));
    const needs = list.map((one) => ({
      name: one.name,
      blocks: expectedOf(one, interfaces),
      leasesPerBlock: leasesPerBlock(one),
      isRouted: one.vlanMode !== 'l2',
    }));
    const nics = (node: number) => nicsOf(interfaces, node);
    return {
      clusterArguments: {},
      capacity: (nodes, pods) => list.flatMap((one) => capacityOf(one, interfaces, nodes, pods)),
      resources: MULTI_NIC_RESOURCES,
      milestones: milestones(nics, needs),
      counters: Object.keys(COUNTERS),
      networks: list.map((one) => ({
        name: one.name,
        subnets: [one.subnet],
        excludes: one.excludeCIDRs,
        blocks: hostBlocks(one, expectedOf(one, interfaces).length).reduce((a, b) => a + b, 0),
      })),
      expectedBlocks: () => expected,
      hasPools: true,
      daemons: {
        port: daemonPort,
        mutant: daemonMutant,
        nics,
        pods: { namespace: OPERATOR_NAMESPACE, label: 'app=multi-nicd' },
        networks: list.map(({ name, masterNets }) => ({ name, masterNets })),
      },
      routedNetworks: needs.filter(({ isRouted }) => isRouted).map(({ name }) => name),
    };
  },
});
