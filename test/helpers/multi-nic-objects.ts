import { isRecord } from '../../src/sim/base/json.ts';
import { apiVersionOf } from '../../src/sim/kube/objects.ts';
import type { ResourceKind } from '../../src/sim/model/operator-profile.ts';

interface FullObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** Of each kind one object with a value in every field. Also the list of fields: there are no others. */
const FULL_OBJECTS: Readonly<Record<string, FullObject>> = {
  MultiNicNetwork: {
    spec: {
      subnet: '192.168.0.0/16',
      masterNets: ['10.0.0.0/16', '10.1.0.0/16'],
      ipam: '{"type":"multi-nic-ipam","hostBlock":8,"interfaceBlock":2,"vlanMode":"l3"}',
      multiNICIPAM: true,
      plugin: {
        cniVersion: '0.3.0',
        type: 'ipvlan',
        capabilities: { ips: true, mac: false },
        dns: {
          nameservers: ['10.0.0.2'],
          domain: 'example.org',
          search: ['example.org'],
          options: ['ndots:2'],
        },
        args: { mode: 'l3', mtu: '1500' },
      },
      attachPolicy: { strategy: 'none', target: '10Gbps' },
      namespaces: ['default', 'other'],
    },
    status: {
      computeResults: [{ netAddress: '10.0.0.0/16', numOfHosts: 2 }],
      discovery: { existDaemon: 2, infoAvailable: 2, cidrProcessed: 1 },
      configStatus: 'Success',
      routeStatus: 'WaitForRoutes',
      message: '',
      lastSyncTime: '2026-01-02T03:04:05Z',
    },
  },
  HostInterface: {
    spec: {
      hostName: 'sim-1',
      interfaces: [
        {
          interfaceName: 'eth1',
          netAddress: '10.0.0.0/16',
          hostIP: '10.0.0.1',
          vendor: '1af4',
          product: '1000',
          pciAddress: '0000:00:04.0',
        },
      ],
    },
    status: {
      stat: {
        interfaceName: 'eth1',
        txRate: 1.5,
        rxRate: 2,
        txDropRate: 0,
        rxDropRate: 0.25,
        lastTx: 4_294_967_296,
        lastRx: 2,
        lastTxDrop: 0,
        lastRxDrop: 1,
        lastTimestamp: 1_767_322_245_000_000,
        count: 3,
      },
    },
  },
  CIDR: {
    spec: {
      config: {
        name: 'net-a',
        type: 'multi-nic-ipam',
        subnet: '192.168.0.0/16',
        masterNets: ['10.0.0.0/16'],
        hostBlock: 8,
        interfaceBlock: 2,
        excludeCIDRs: ['192.168.0.0/28'],
        vlanMode: 'l3',
      },
      cidr: [
        {
          netAddress: '10.0.0.0/16',
          interfaceIndex: 0,
          vlanCIDR: '192.168.0.0/18',
          hosts: [
            {
              hostIndex: 0,
              hostName: 'sim-1',
              interfaceName: 'eth1',
              hostIP: '10.0.0.1',
              podCIDR: '192.168.0.0/26',
              ippool: 'net-a-192.168.0.0-26',
            },
          ],
        },
      ],
    },
    status: {},
  },
  IPPool: {
    spec: {
      podCIDR: '192.168.0.0/26',
      vlanCIDR: '192.168.0.0/18',
      netAttachDef: 'net-a',
      hostName: 'sim-1',
      interfaceName: 'eth1',
      excludes: ['192.168.0.0/28'],
      allocations: [{ pod: 'a', namespace: 'default', index: 16, address: '192.168.0.16' }],
    },
    status: {},
  },
  Config: {
    spec: {
      cniType: 'multi-nic',
      ipamType: 'multi-nic-ipam',
      joinPath: '/join',
      getInterfacePath: '/interface',
      addRoutePath: '/addl3',
      deleteRoutePath: '/deletel3',
      urgentReconcileSeconds: 5,
      normalReconcileMinutes: 1,
      longReconcileMinutes: 10,
      contextTimeoutMinutes: 2,
      logLevel: 4,
      daemon: {
        image: 'fake-image',
        port: 11000,
        nodeSelector: { type: 'kwok' },
        imagePullSecretName: 'pull',
        imagePullPolicy: 'IfNotPresent',
        securityContext: { privileged: true, capabilities: { add: ['NET_ADMIN'] } },
        env: [{ name: 'DAEMON_PORT', value: '11000' }],
        envFrom: [{ configMapRef: { name: 'settings', optional: true } }],
        mounts: [{ name: 'cnibin', podpath: '/host/opt/cni/bin', hostpath: '/opt/cni/bin' }],
        resources: { requests: { cpu: '100m' } },
        tolerations: [{ operator: 'Exists', tolerationSeconds: 3 }],
      },
    },
    status: {},
  },
  DeviceClass: {
    spec: { ids: [{ vendor: '15b3', products: ['1019', '101b'] }] },
    status: {},
  },
  NetworkAttachmentDefinition: { spec: { config: '{"cniVersion":"0.3.0","type":"multi-nic"}' } },
};

/** The full object of a kind. */
export function fullObject(kind: string): FullObject {
  const found = FULL_OBJECTS[kind];
  if (!found) throw new RangeError(`no full object of kind ${kind}`);
  return found;
}

export type Draft = Record<string, unknown>;

/** A full object under a name, with changes to this copy of it. */
export function draft(of: ResourceKind, name: string, change?: (object: Draft) => void): Draft {
  const object: Draft = {
    apiVersion: apiVersionOf(of),
    kind: of.kind,
    metadata: { name },
    ...structuredClone(fullObject(of.kind)),
  };
  change?.(object);
  return object;
}

/** The record at a place such as `spec.cidr[].hosts[]`: of a list, its first entry. */
export function recordAt(object: Draft, place: string): Draft {
  let here: unknown = object;
  for (const name of place.replaceAll('[]', '.0').split('.')) here = (here as Draft)[name];
  if (!isRecord(here)) throw new TypeError(`no record at ${place}`);
  return here;
}
