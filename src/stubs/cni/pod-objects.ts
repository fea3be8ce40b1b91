import { isConflict } from '../../sim/kube/api-error.ts';
import type { KubeClient } from '../../sim/kube/client.ts';
import { KINDS } from '../../sim/kube/objects.ts';
import type { CniPlan, CniResult, PlannedPod } from './contract.ts';

/** As Multus writes it now, and as it did before 2021. */
const ANNOTATIONS = {
  current: ['k8s.v1.cni.cncf.io/network-status'],
  legacy: ['k8s.v1.cni.cncf.io/networks-status'],
  both: ['k8s.v1.cni.cncf.io/network-status', 'k8s.v1.cni.cncf.io/networks-status'],
} as const;

/** The objects of the pods: bound to their nodes already, as a scheduler would have left them. */
export class PodObjects {
  readonly #kube: KubeClient;
  readonly #settings: NonNullable<CniPlan['podObjects']>;

  constructor(kube: KubeClient, settings: NonNullable<CniPlan['podObjects']>) {
    this.#kube = kube;
    this.#settings = settings;
  }

  /** One that is there already is taken for ours: its name says which it is. */
  async create({ node, namespace, pod: name }: PlannedPod, signal: AbortSignal): Promise<void> {
    const object = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, labels: { app: 'sim-pod', ...this.#settings.labels } },
      spec: {
        nodeName: node,
        terminationGracePeriodSeconds: 0,
        automountServiceAccountToken: false,
        tolerations: [{ key: 'kwok.x-k8s.io/node', operator: 'Exists', effect: 'NoSchedule' }],
        containers: [{ name: 'pod', image: 'fake-image' }],
      },
    };
    try {
      await this.#kube.create(KINDS.pod, object, { name, namespace, signal });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }

  /** Tells the addresses, as Multus does: one entry for each network, the NICs counted on. */
  async annotate(
    { namespace, pod }: PlannedPod,
    results: readonly CniResult[],
    signal: AbortSignal,
  ): Promise<void> {
    const nics = results.flatMap(({ network, granted }) =>
      granted.map(({ ip }) => ({ name: `${namespace}/${network}`, ips: [ip], default: false })),
    );
    const status = JSON.stringify(nics.map((nic, i) => ({ ...nic, interface: `net1-${i}` })));
    const keys = ANNOTATIONS[this.#settings.annotation];
    const annotations = Object.fromEntries(keys.map((key) => [key, status]));
    await this.#kube.patch(
      KINDS.pod,
      pod,
      'merge',
      { metadata: { annotations } },
      { namespace, signal },
    );
  }

  async delete({ namespace, pod }: PlannedPod, signal: AbortSignal): Promise<void> {
    await this.#kube.delete(KINDS.pod, pod, { namespace, gracePeriodSeconds: 0, signal });
  }
}
