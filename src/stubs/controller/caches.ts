import type * as z from 'zod';
import type { Clock } from '../../sim/base/clock.ts';
import type { KubeClient } from '../../sim/kube/client.ts';
import { KINDS } from '../../sim/kube/objects.ts';
import { Cache } from './cache.ts';
import {
  cidrShape,
  hostInterfaceShape,
  MULTI_NIC,
  networkShape,
  nodeShape,
  podShape,
  poolShape,
} from './objects.ts';

export type KindRead = 'nodes' | 'pods' | 'networks' | 'hosts' | 'cidrs' | 'pools';
export type Caches = ReturnType<typeof openCaches>;

/** All that the controller reads of the cluster. `changed` is told the kind of every change. */
export function openCaches(
  kube: KubeClient,
  clock: Clock,
  namespace: string,
  changed: (kind: KindRead) => void,
) {
  const open = <T>(
    of: KindRead,
    options: ConstructorParameters<typeof Cache>[2],
    shape: z.ZodType<T>,
  ): Cache<T> =>
    new Cache(kube, clock, options, shape, () => {
      changed(of);
    });
  const daemons = { kind: KINDS.pod, namespace, labelSelector: 'app=multi-nicd' };
  return {
    nodes: open('nodes', { kind: KINDS.node }, nodeShape),
    pods: open('pods', daemons, podShape),
    networks: open('networks', { kind: MULTI_NIC.network }, networkShape),
    hosts: open('hosts', { kind: MULTI_NIC.hostInterface }, hostInterfaceShape),
    cidrs: open('cidrs', { kind: MULTI_NIC.cidr }, cidrShape),
    pools: open('pools', { kind: MULTI_NIC.pool }, poolShape),
  } satisfies Record<KindRead, unknown>;
}
