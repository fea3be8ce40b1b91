import * as z from 'zod';

/** Kinds of the multi-nic object model, as the controller reads and writes them. */
const kind = (plural: string, name: string) =>
  ({ group: 'multinic.fms.io', version: 'v1', plural, kind: name, namespaced: false }) as const;

export const MULTI_NIC = {
  network: kind('multinicnetworks', 'MultiNicNetwork'),
  hostInterface: kind('hostinterfaces', 'HostInterface'),
  cidr: kind('cidrs', 'CIDR'),
  pool: kind('ippools', 'IPPool'),
} as const;

export const API_VERSION = 'multinic.fms.io/v1';

export const networkShape = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    subnet: z.string(),
    masterNets: z.array(z.string()).optional(),
    ipam: z.string(),
  }),
});

/** The JSON inside `spec.ipam`. */
export const ipamShape = z.object({
  hostBlock: z.int(),
  interfaceBlock: z.int(),
  excludeCIDRs: z.array(z.string()).default([]),
  vlanMode: z.string().default('l3'),
});

export const interfaceShape = z.object({
  interfaceName: z.string(),
  netAddress: z.string(),
  hostIP: z.string(),
  vendor: z.string().default(''),
  product: z.string().default(''),
  pciAddress: z.string().default(''),
});
export type HostNic = z.infer<typeof interfaceShape>;

export const hostInterfaceShape = z.object({
  metadata: z.object({ name: z.string(), resourceVersion: z.string().optional() }),
  spec: z.object({ hostName: z.string(), interfaces: z.array(interfaceShape) }),
});

const rowShape = z.object({
  hostIndex: z.int(),
  hostName: z.string(),
  interfaceName: z.string(),
  hostIP: z.string(),
  podCIDR: z.string(),
  ippool: z.string().optional(),
});
export type Row = Readonly<z.infer<typeof rowShape>>;

const entryShape = z.object({
  netAddress: z.string(),
  interfaceIndex: z.int(),
  vlanCIDR: z.string(),
  hosts: z.array(rowShape),
});
export type Entry = Omit<Readonly<z.infer<typeof entryShape>>, 'hosts'> & {
  readonly hosts: readonly Row[];
};

export const cidrShape = z.object({
  metadata: z.object({ name: z.string(), resourceVersion: z.string().optional() }),
  spec: z.object({ config: z.looseObject({ name: z.string() }), cidr: z.array(entryShape) }),
});

export const poolShape = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    podCIDR: z.string(),
    vlanCIDR: z.string(),
    netAttachDef: z.string(),
    hostName: z.string(),
    interfaceName: z.string(),
  }),
});
export type Pool = z.infer<typeof poolShape>['spec'];

export const nodeShape = z.object({
  spec: z.object({ taints: z.array(z.object({ key: z.string() })).optional() }).optional(),
});

export const podShape = z.object({
  metadata: z.object({ uid: z.string().optional(), deletionTimestamp: z.string().optional() }),
  spec: z.object({ nodeName: z.string().optional() }),
  status: z
    .object({
      hostIP: z.string().optional(),
      containerStatuses: z
        .array(z.object({ ready: z.boolean(), restartCount: z.int().optional() }))
        .optional(),
    })
    .optional(),
});
