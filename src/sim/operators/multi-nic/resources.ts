import * as z from 'zod';
import type { JsonObject } from '../../base/json.ts';
import type { Fact } from '../../model/facts.ts';
import type { ObservedObject, ObservedResource, Projection } from '../../model/operator-profile.ts';
import { addRow } from '../../model/table-rows.ts';
import { DAEMON_PODS } from './daemon-pods.ts';
import { multiNicKind } from './operator-kinds.ts';

/** Kubernetes' integers have 64 bits: what a number cannot hold exactly is rounded, and no reason to refuse an object. */
const integer = z.number().refine(Number.isInteger, 'expected an integer');

const rawRow = z.object({
  hostIndex: integer,
  hostName: z.string(),
  interfaceName: z.string(),
  hostIP: z.string(),
  podCIDR: z.string(),
});
const rawCidr = z.object({
  spec: z.object({
    config: z.object({ name: z.string(), subnet: z.string() }),
    cidr: z
      .array(
        z.object({
          netAddress: z.string(),
          interfaceIndex: integer,
          vlanCIDR: z.string(),
          hosts: z.array(rawRow).nullish(),
        }),
      )
      .nullish(),
  }),
});

const cidrFields = z.object({ network: z.string(), subnet: z.string() });
const hostFields = z.object({ hostName: z.string() });
const cidrRow = z.object({
  netAddress: z.string(),
  vlanCIDR: z.string(),
  hostName: z.string(),
  interfaceName: z.string(),
  hostIP: z.string(),
  hostIndex: integer,
  podCIDR: z.string(),
});

/** A row means the same while it is of the same host on the same interface network. */
function projectCidr(raw: unknown): Projection {
  const { config, cidr } = rawCidr.parse(raw).spec;
  const rows: Record<string, JsonObject> = {};
  for (const { hosts, netAddress, vlanCIDR } of cidr ?? [])
    for (const { hostName, interfaceName, hostIP, hostIndex, podCIDR } of hosts ?? []) {
      const row = { netAddress, vlanCIDR, hostName, interfaceName, hostIP, hostIndex, podCIDR };
      addRow(rows, `${netAddress} ${hostName}`, row);
    }
  return { fields: { network: config.name, subnet: config.subnet }, rows };
}

function blockOfRow(row: JsonObject, object: ObservedObject): readonly Fact[] {
  const { netAddress, vlanCIDR, hostName, interfaceName, hostIP, podCIDR } = cidrRow.parse(row);
  return [
    {
      kind: 'block',
      network: cidrFields.parse(object.fields).network,
      node: hostName,
      interface: interfaceName,
      cidr: podCIDR,
      parent: vlanCIDR,
      link: { netAddress, via: hostIP },
    },
  ];
}

export const CIDRS: ObservedResource = {
  id: 'cidrs',
  kind: multiNicKind('cidrs', 'CIDR'),
  project: projectCidr,
  facts: () => [],
  rowFacts: (_, row, object) => blockOfRow(row, object),
  unrest: 'any-write',
};

const allocation = z.object({
  pod: z.string(),
  namespace: z.string(),
  index: integer,
  address: z.string(),
});
const poolFields = z.object({
  podCIDR: z.string(),
  vlanCIDR: z.string(),
  netAttachDef: z.string(),
  hostName: z.string(),
  interfaceName: z.string(),
  excludes: z.array(z.string()).nullish(),
});
const rawPool = z.object({
  spec: poolFields.extend({ allocations: z.array(allocation).nullish() }),
});

function projectPool(raw: unknown): Projection {
  const { allocations, excludes, ...spec } = rawPool.parse(raw).spec;
  const rows: Record<string, JsonObject> = {};
  for (const { pod, namespace, index, address } of allocations ?? [])
    addRow(rows, `${namespace}/${pod}`, { pod, namespace, index, address });
  return { fields: { ...spec, excludes: excludes ?? [] }, rows };
}

function poolFact(object: ObservedObject): readonly Fact[] {
  const pool = poolFields.parse(object.fields);
  return [
    {
      kind: 'pool',
      network: pool.netAttachDef,
      node: pool.hostName,
      interface: pool.interfaceName,
      cidr: pool.podCIDR,
      parent: pool.vlanCIDR,
    },
  ];
}

function leaseOfRow(row: JsonObject, object: ObservedObject): readonly Fact[] {
  const { pod, namespace, index, address } = allocation.parse(row);
  const pool = poolFields.parse(object.fields);
  return [
    {
      kind: 'lease',
      network: pool.netAttachDef,
      node: pool.hostName,
      interface: pool.interfaceName,
      owner: `${namespace}/${pod}`,
      address,
      sharingKey: undefined,
      place: { index, cidr: pool.podCIDR, excludes: pool.excludes ?? [] },
    },
  ];
}

export const POOLS: ObservedResource = {
  id: 'ippools',
  kind: multiNicKind('ippools', 'IPPool'),
  project: projectPool,
  facts: poolFact,
  rowFacts: (_, row, object) => leaseOfRow(row, object),
  unrest: 'any-write',
};

const nic = z.object({
  interfaceName: z.string(),
  netAddress: z.string().default(''),
  hostIP: z.string().default(''),
});
const rawHostInterface = z.object({
  spec: z.object({ hostName: z.string(), interfaces: z.array(nic).nullish() }),
});

export const HOST_INTERFACES: ObservedResource = {
  id: 'hostinterfaces',
  kind: multiNicKind('hostinterfaces', 'HostInterface'),
  project: (raw) => {
    const { hostName, interfaces } = rawHostInterface.parse(raw).spec;
    const rows = (interfaces ?? []).map((one) => [one.interfaceName, { ...one }] as const);
    return { fields: { hostName }, rows: Object.fromEntries(rows) };
  },
  facts: () => [],
  rowFacts: (_, row, object): readonly Fact[] => {
    const { interfaceName, netAddress, hostIP } = nic.parse(row);
    const { hostName: node } = hostFields.parse(object.fields);
    return [{ kind: 'interface', node, interface: interfaceName, netAddress, address: hostIP }];
  },
  unrest: 'any-write',
};

/** The counters that the field knows, by what the operator calls them. */
export const COUNTERS = {
  total: 'existDaemon',
  available: 'infoAvailable',
  processed: 'cidrProcessed',
} as const;

const discovery = z.object({
  existDaemon: integer,
  infoAvailable: integer,
  cidrProcessed: integer,
});
const rawNetwork = z.object({
  status: z.object({ discovery: discovery.optional() }).optional(),
});

export const NETWORKS: ObservedResource = {
  id: 'multinicnetworks',
  kind: multiNicKind('multinicnetworks', 'MultiNicNetwork'),
  project: (raw) => ({ fields: { ...(rawNetwork.parse(raw).status?.discovery ?? {}) } }),
  facts: (object) =>
    Object.entries(COUNTERS).map(([counter, field]) => ({
      kind: 'counter',
      network: object.name,
      counter,
      value: Number(object.fields[field] ?? 0),
    })),
  unrest: 'any-write',
};

export const MULTI_NIC_RESOURCES: readonly ObservedResource[] = [
  DAEMON_PODS,
  HOST_INTERFACES,
  CIDRS,
  POOLS,
  NETWORKS,
];
