import type { JsonObject } from '../../src/sim/base/json.ts';
import { nodeName } from '../../src/sim/base/node-names.ts';

/** The network of the recordings made by hand: node i has host index i - 1, interface k has interface index k. */
export const NETWORK = 'net';
export const INTERFACES = ['eth0', 'eth1'];
const BLOCK_SIZE = 64;

/** A scenario for multi-nic: two nodes with two interfaces, and whatever the test changes. */
export const multiNicScenario = (changes: JsonObject = {}): JsonObject => ({
  name: 'multi',
  operator: { profile: 'multi-nic' },
  networks: [{ name: NETWORK, subnet: '192.168.0.0/16', hostBlock: 8, interfaceBlock: 2 }],
  nodes: { interfaces: INTERFACES },
  settle: '2s',
  steps: [{ scale: { to: 2, within: '30s' } }],
  ...changes,
});

/** An object as the API server gives it. */
export interface Raw extends JsonObject {
  readonly metadata: { readonly name: string; readonly namespace?: string } & JsonObject;
}

export const nicName = (nic: number): string => INTERFACES[nic] ?? `eth${nic}`;
export const linkOf = (nic: number): string => `10.${nic}.0.0/16`;
export const hostIPOf = (node: number, nic: number): string => `10.${nic}.0.${node}`;
export const vlanOf = (nic: number): string => `192.168.${64 * nic}.0/18`;
/** The address with a number in the block of a node's interface. */
export const addressOf = (node: number, nic: number, index = 0): string => {
  const offset = (node - 1) * BLOCK_SIZE + index;
  return `192.168.${64 * nic + (offset >> 8)}.${offset & 255}`;
};
export const blockOf = (node: number, nic: number): string => `${addressOf(node, nic)}/26`;

/** A row of the CIDR object. */
export interface CidrRow {
  readonly node: number;
  readonly nic: number;
  readonly podCIDR?: string;
}

export const rowsOf = (...nodes: readonly number[]): readonly CidrRow[] =>
  nodes.flatMap((node) => INTERFACES.map((_, nic) => ({ node, nic })));

export const rawCidr = (rows: readonly CidrRow[]): Raw => ({
  metadata: { name: NETWORK },
  spec: {
    config: { name: NETWORK, subnet: '192.168.0.0/16' },
    cidr: [...new Set(rows.map(({ nic }) => nic))].map((nic) => ({
      netAddress: linkOf(nic),
      interfaceIndex: nic,
      vlanCIDR: vlanOf(nic),
      hosts: rows
        .filter((row) => row.nic === nic)
        .map(({ node, podCIDR = blockOf(node, nic) }) => ({
          hostIndex: node - 1,
          hostName: nodeName(node),
          interfaceName: nicName(nic),
          hostIP: hostIPOf(node, nic),
          podCIDR,
        })),
    })),
  },
});

export const poolName = (podCIDR: string): string => `${NETWORK}-${podCIDR.replace('/', '-')}`;

/** The pool of a node's interface, with what the test changes; under another name on request. */
export const rawPool = (
  node: number,
  nic: number,
  changes: JsonObject = {},
  name = poolName(blockOf(node, nic)),
): Raw => ({
  metadata: { name },
  spec: {
    podCIDR: blockOf(node, nic),
    vlanCIDR: vlanOf(nic),
    netAttachDef: NETWORK,
    hostName: nodeName(node),
    interfaceName: nicName(nic),
    excludes: [],
    allocations: [],
    ...changes,
  },
});

/** `sim/a` → namespace and name; without a namespace it is `default`. */
export function podNamed(owner: string): { readonly pod: string; readonly namespace: string } {
  const [first = '', second] = owner.split('/');
  return second === undefined
    ? { pod: first, namespace: 'default' }
    : { pod: second, namespace: first };
}

/** A row of a pool: the address with a number in it, given to a pod. */
export const allocationOf = (
  node: number,
  nic: number,
  owner: string,
  index: number,
): JsonObject => ({
  ...podNamed(owner),
  index,
  address: addressOf(node, nic, index),
});

export const rawHostInterface = (node: number, ...nics: readonly number[]): Raw => ({
  metadata: { name: nodeName(node) },
  spec: {
    hostName: nodeName(node),
    interfaces: nics.map((nic) => ({
      interfaceName: nicName(nic),
      netAddress: linkOf(nic),
      hostIP: hostIPOf(node, nic),
      vendor: '1af4',
      product: '1000',
      pciAddress: '0000:00:04.0',
    })),
  },
});

export const rawDaemonPod = (node: number, status: JsonObject = {}): Raw => {
  const hostIP = `127.64.0.${node}`;
  const conditions = [{ type: 'Ready', status: 'True' }];
  return {
    metadata: {
      name: `multi-nicd-${node}`,
      namespace: 'multi-nic-cni-operator',
      labels: { app: 'multi-nicd' },
    },
    spec: { nodeName: nodeName(node), hostNetwork: true },
    status: { phase: 'Running', hostIP, podIPs: [{ ip: hostIP }], conditions, ...status },
  };
};

export const rawNetwork = (total: number, available: number, processed: number): Raw => ({
  metadata: { name: NETWORK },
  status: {
    discovery: { existDaemon: total, infoAvailable: available, cidrProcessed: processed },
  },
});
