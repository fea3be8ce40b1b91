import { stringify } from 'yaml';
import type { ClusterArguments } from '../model/operator-profile.ts';

/** The ports of a cluster, all on 127.0.0.1. */
export interface KwokctlPorts {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly apiserver: number;
  readonly kwok: number;
  readonly controllerManager: number;
  readonly scheduler: number;
}

export interface KwokctlSettings {
  readonly ports: KwokctlPorts;
  readonly kubernetes: string;
  /** Paths of the programs. */
  readonly programs: Readonly<
    Record<
      'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kwok',
      string
    >
  >;
  readonly preset: 'realistic' | 'unlimited';
  readonly auditPolicyPath: string | undefined;
  readonly clusterArguments: ClusterArguments;
}

/**
 * With the default of 20 requests a second the DaemonSet controller alone would need 53 s for 1,000 pods, and would
 * be measured in place of the operator.
 */
const CLIENT_LIMITS = { 'kube-api-qps': '1000', 'kube-api-burst': '2000' };

const REALISTIC: ClusterArguments = {
  'kube-controller-manager': CLIENT_LIMITS,
  'kube-scheduler': CLIENT_LIMITS,
};

/** kwok's own default of 4 makes kwok the bottleneck from a few hundred nodes on. */
const PARALLELISM = 16;

/** The configuration file for `kwokctl create cluster`: what no flag can say, or only unreliably. */
export function kwokctlConfig(settings: KwokctlSettings): string {
  const { ports, programs } = settings;
  const cluster = {
    apiVersion: 'config.kwok.x-k8s.io/v1alpha1',
    kind: 'KwokctlConfiguration',
    options: {
      runtime: 'binary',
      // The default is 0.0.0.0, with an etcd that asks nobody for a password.
      bindAddress: '127.0.0.1',
      kubeVersion: settings.kubernetes,
      etcdPort: ports.etcd,
      etcdPeerPort: ports.etcdPeer,
      kubeApiserverPort: ports.apiserver,
      kwokControllerPort: ports.kwok,
      kubeControllerManagerPort: ports.controllerManager,
      kubeSchedulerPort: ports.scheduler,
      etcdBinary: programs.etcd,
      kubeApiserverBinary: programs['kube-apiserver'],
      kubeControllerManagerBinary: programs['kube-controller-manager'],
      kubeSchedulerBinary: programs['kube-scheduler'],
      kwokControllerBinary: programs.kwok,
      disableQPSLimits: settings.preset === 'unlimited',
      ...(settings.auditPolicyPath === undefined
        ? {}
        : { kubeAuditPolicy: settings.auditPolicyPath }),
    },
    componentsPatches: patches([
      ...(settings.preset === 'realistic' ? [REALISTIC] : []),
      settings.clusterArguments,
    ]),
  };
  const kwok = {
    apiVersion: 'config.kwok.x-k8s.io/v1alpha1',
    kind: 'KwokConfiguration',
    options: {
      nodePlayStageParallelism: PARALLELISM,
      podPlayStageParallelism: PARALLELISM,
      nodeLeaseParallelism: PARALLELISM,
    },
  };
  return `${stringify(cluster)}---\n${stringify(kwok)}`;
}

/** One patch per component: of two patches for the same one, kwokctl takes only one. */
function patches(all: readonly ClusterArguments[]): readonly object[] {
  const names = new Set(all.flatMap((one) => Object.keys(one)));
  return [...names].map((name) => ({
    name,
    extraArgs: all
      .flatMap((one) => Object.entries(one[name] ?? {}))
      .map(([key, value]) => ({ key, value })),
  }));
}

/** Who asked for what, without bodies: about 900 bytes a request. */
export const AUDIT_POLICY = stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'ResponseStarted'],
  rules: [{ level: 'Metadata' }],
});
