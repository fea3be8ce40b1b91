import type { ResourceKind } from '../../src/sim/model/operator-profile.ts';

/** One kind of the published object model, written down once more, apart from our manifests. */
export interface ModelKind {
  readonly of: ResourceKind;
  /** Place in the object (`[]`: in each entry of a list) → the fields required there. */
  readonly required: Readonly<Record<string, readonly string[]>>;
}

/** Their content is a matter between the user and the pod: nothing there is pruned or checked. */
export const FREE_FORM = [
  'spec.daemon.securityContext',
  'spec.daemon.env[]',
  'spec.daemon.envFrom[]',
  'spec.daemon.resources',
  'spec.daemon.tolerations[]',
];

/** Their keys are the user's; their values have one type. */
export const MAPS = ['spec.plugin.capabilities', 'spec.plugin.args', 'spec.daemon.nodeSelector'];

const clusterScoped = (plural: string, kind: string): ResourceKind => ({
  group: 'multinic.fms.io',
  version: 'v1',
  plural,
  kind,
  namespaced: false,
});

/** The six kinds of group multinic.fms.io. */
export const MULTI_NIC_KINDS: readonly ModelKind[] = [
  {
    of: clusterScoped('multinicnetworks', 'MultiNicNetwork'),
    required: {
      spec: ['ipam', 'plugin'],
      'spec.plugin': ['cniVersion', 'type'],
      'spec.attachPolicy': ['strategy'],
      status: [
        'computeResults',
        'discovery',
        'configStatus',
        'routeStatus',
        'message',
        'lastSyncTime',
      ],
      'status.computeResults[]': ['netAddress', 'numOfHosts'],
      'status.discovery': ['existDaemon', 'infoAvailable', 'cidrProcessed'],
    },
  },
  {
    of: clusterScoped('hostinterfaces', 'HostInterface'),
    required: {
      spec: ['hostName', 'interfaces'],
      'spec.interfaces[]': ['interfaceName'],
      status: ['stat'],
      'status.stat': [
        'interfaceName',
        'txRate',
        'rxRate',
        'txDropRate',
        'rxDropRate',
        'lastTx',
        'lastRx',
        'lastTxDrop',
        'lastRxDrop',
        'lastTimestamp',
        'count',
      ],
    },
  },
  {
    of: clusterScoped('cidrs', 'CIDR'),
    required: {
      spec: ['config', 'cidr'],
      'spec.config': ['name', 'type', 'subnet', 'masterNets', 'hostBlock', 'interfaceBlock'],
      'spec.cidr[]': ['netAddress', 'interfaceIndex', 'vlanCIDR', 'hosts'],
      'spec.cidr[].hosts[]': ['hostIndex', 'hostName', 'interfaceName', 'hostIP', 'podCIDR'],
    },
  },
  {
    of: clusterScoped('ippools', 'IPPool'),
    required: {
      spec: [
        'podCIDR',
        'vlanCIDR',
        'netAttachDef',
        'hostName',
        'interfaceName',
        'excludes',
        'allocations',
      ],
      'spec.allocations[]': ['pod', 'namespace', 'index', 'address'],
    },
  },
  {
    of: clusterScoped('configs', 'Config'),
    required: {
      spec: ['cniType', 'ipamType', 'joinPath', 'getInterfacePath', 'daemon'],
      'spec.daemon': ['image', 'port'],
    },
  },
  {
    of: clusterScoped('deviceclasses', 'DeviceClass'),
    required: { spec: ['ids'], 'spec.ids[]': ['vendor', 'products'] },
  },
];

/** Has no status and no required field. */
export const NET_ATTACH_DEF: ResourceKind = {
  group: 'k8s.cni.cncf.io',
  version: 'v1',
  plural: 'network-attachment-definitions',
  kind: 'NetworkAttachmentDefinition',
  namespaced: true,
};
