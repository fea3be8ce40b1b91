import pMap from 'p-map';
import { isRecord } from '../base/json.ts';
import type { NodeSet } from '../base/node-names.ts';
import { isNotFound } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { KINDS, type KubeObject } from '../kube/objects.ts';
import type { DaemonPlan } from '../model/operator-profile.ts';
import { CONCURRENCY } from './concurrency.ts';
import { isOn } from './pods-on-nodes.ts';

/** The pods of the daemons on fake nodes, as the cluster has them. */
export class DaemonPods {
  readonly #kube: KubeClient;
  readonly #place: DaemonPlan['pods'];

  constructor(kube: KubeClient, place: DaemonPlan['pods']) {
    this.#kube = kube;
    this.#place = place;
  }

  /** With no grace: nobody runs in them. The DaemonSet controller makes them anew. */
  async delete(nodes: NodeSet, signal: AbortSignal): Promise<void> {
    const { namespace } = this.#place;
    await this.#forEach(nodes, signal, ({ metadata: { name } }) =>
      this.#kube.delete(KINDS.pod, name, { namespace, gracePeriodSeconds: 0, signal }),
    );
  }

  /** As their kubelet would say. */
  async setReady(nodes: NodeSet, isReady: boolean, signal: AbortSignal): Promise<void> {
    const { namespace } = this.#place;
    const status = isReady ? 'True' : 'False';
    await this.#forEach(nodes, signal, async ({ metadata: { name }, ...pod }) => {
      const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status }));
      const containerStatuses = containersOf(pod['status']).map((one) => ({
        ...one,
        ready: isReady,
      }));
      const patch = { status: { conditions, containerStatuses } };
      const options = { namespace, subresource: 'status', signal };
      try {
        await this.#kube.patch(KINDS.pod, name, 'strategic', patch, options);
      } catch (error) {
        if (!isNotFound(error)) throw error; // it has gone since it was listed
      }
    });
  }

  async #forEach(
    nodes: NodeSet,
    signal: AbortSignal,
    work: (pod: KubeObject) => Promise<unknown>,
  ): Promise<void> {
    const { namespace, label: labelSelector } = this.#place;
    const pods = await this.#kube.list(KINDS.pod, { namespace, labelSelector, signal });
    await pMap(
      pods.filter((pod) => isOn(nodes, pod)),
      work,
      { concurrency: CONCURRENCY },
    );
  }
}

function containersOf(status: unknown): readonly Record<string, unknown>[] {
  const containers = isRecord(status) ? status['containerStatuses'] : undefined;
  return Array.isArray(containers) ? containers.filter(isRecord) : [];
}
