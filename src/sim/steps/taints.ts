import pMap from 'p-map';
import { indexesOfSet, nodeName, type NodeSet } from '../base/node-names.ts';
import type { KubeClient } from '../kube/client.ts';
import { KINDS } from '../kube/objects.ts';
import type { Taint } from '../model/plan.ts';
import { CONCURRENCY } from './concurrency.ts';

export const addTaint = (
  kube: KubeClient,
  nodes: NodeSet,
  taint: Taint,
  signal: AbortSignal,
): Promise<void> => patchTaints(kube, nodes, { ...taint }, signal);

export const removeTaint = (
  kube: KubeClient,
  nodes: NodeSet,
  key: string,
  signal: AbortSignal,
): Promise<void> => patchTaints(kube, nodes, { key, $patch: 'delete' }, signal);

/** A strategic patch knows taints by their keys, and leaves the others as they are. */
async function patchTaints(
  kube: KubeClient,
  nodes: NodeSet,
  taint: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  await pMap(
    indexesOfSet(nodes),
    (node) =>
      kube.patch(
        KINDS.node,
        nodeName(node),
        'strategic',
        { spec: { taints: [taint] } },
        { signal },
      ),
    { concurrency: CONCURRENCY },
  );
}
