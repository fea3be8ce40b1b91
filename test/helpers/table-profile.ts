import * as z from 'zod';
import type { JsonObject } from '../../src/sim/base/json.ts';
import { NODES } from '../../src/sim/model/core-resources.ts';
import type { Fact } from '../../src/sim/model/facts.ts';
import {
  defineProfile,
  type ObservedResource,
  type OperatorModel,
  type WatchedCluster,
} from '../../src/sim/model/operator-profile.ts';

/** What a row of a table says: a block, or with an owner a lease. */
export interface TableRow {
  readonly node: string;
  readonly interface?: string;
  readonly cidr?: string;
  readonly parent?: string;
  readonly owner?: string;
  readonly address?: string;
  readonly sharingKey?: string;
}

const row = z.object({
  node: z.string(),
  interface: z.string().default('eth0'),
  cidr: z.string().optional(),
  parent: z.string().optional(),
  owner: z.string().optional(),
  address: z.string().optional(),
  sharingKey: z.string().optional(),
});

const fields = z.object({
  network: z.string(),
  counters: z.record(z.string(), z.number()).default({}),
});

/** An object that lists the blocks and leases of a network in rows, and reports counters of itself. */
const TABLES: ObservedResource = {
  id: 'tables',
  kind: { group: 'test', version: 'v1', plural: 'tables', kind: 'Table', namespaced: false },
  project: () => ({ fields: {} }), // the recordings are made by hand
  facts: (object) => {
    const { network, counters } = fields.parse(object.fields);
    return Object.entries(counters).map(([counter, value]): Fact => ({
      kind: 'counter',
      network,
      counter,
      value,
    }));
  },
  rowFacts: (_, value, object) => [rowFact(value, fields.parse(object.fields).network)],
  unrest: 'any-write',
};

function rowFact(value: JsonObject, network: string): Fact {
  const { node, interface: nic, cidr, parent, owner, address, sharingKey } = row.parse(value);
  if (owner !== undefined)
    return {
      kind: 'lease',
      network,
      node,
      interface: nic,
      owner,
      address: address ?? '',
      sharingKey,
    };
  return { kind: 'block', network, node, interface: nic, cidr: cidr ?? '', parent };
}

const watched: WatchedCluster = {
  resources: [TABLES, NODES],
  networks: (objectsOf) =>
    objectsOf(TABLES.id).map((object) => fields.parse(object.fields).network),
  serves: () => true,
  milestones: [
    {
      name: 'block',
      lack: 'no block',
      lacking: (network, nodes, view) =>
        nodes.filter((node) => !view.of(node, 'block').some((block) => block.network === network)),
    },
  ],
  hasPools: false,
};

/**
 * An operator with what node-ipam has not: rows that change one at a time, counters, leases, excluded ranges and two
 * milestones, of which `full` wants a block on every interface.
 */
export const tableProfile = defineProfile({
  name: 'tables',
  title: 'For tests: blocks and leases in tables',
  networks: z
    .array(
      z.strictObject({
        name: z.string(),
        subnets: z.array(z.string()),
        excludes: z.array(z.string()).default([]),
        blocks: z.int().optional(),
      }),
    )
    .min(1),
  options: { interfaces: z.int().default(1), counts: z.array(z.string()).default([]) },
  nodeOptions: {},
  milestoneNames: ['block', 'full'],
  counterNames: ['total', 'processed'],
  controllers: ['reference', 'command'],
  watched,
  build: ({ networks, options: { interfaces, counts } }): OperatorModel => ({
    clusterArguments: {},
    capacity: (nodes) =>
      networks.flatMap(({ name, blocks }) =>
        blocks === undefined
          ? []
          : [
              {
                network: name,
                needed: nodes * interfaces,
                available: blocks,
                milestones: ['full'],
                remedy: 'take more blocks',
                text: `${nodes} × ${interfaces} of ${blocks}`,
              },
            ],
      ),
    resources: [TABLES],
    milestones: [
      {
        name: 'block',
        title: 'has a block',
        by: 'controller',
        holds: (node, view) => view.of(node, 'block').length > 0,
      },
      {
        name: 'full',
        title: 'has a block on every interface of every network',
        by: 'controller',
        holds: (node, view) => view.of(node, 'block').length >= interfaces * networks.length,
      },
    ],
    counters: counts,
    networks: networks.map(({ name, subnets, excludes, blocks }) => ({
      name,
      subnets,
      excludes,
      blocks,
    })),
    hasPools: false,
    daemons: undefined,
    routedNetworks: [],
    expectedBlocks: () =>
      networks.flatMap(({ name }) =>
        Array.from({ length: interfaces }, (_, i) => ({
          network: name,
          interface: `eth${i}`,
          count: 1,
        })),
      ),
  }),
});

/** A scenario for it. */
export const tableScenario = (changes: JsonObject = {}): JsonObject => ({
  name: 'tables',
  operator: { profile: 'tables' },
  networks: [{ name: 'net', subnets: ['10.0.0.0/8'] }],
  settle: '2s',
  steps: [{ scale: { to: 2, within: '30s' } }],
  ...changes,
});
