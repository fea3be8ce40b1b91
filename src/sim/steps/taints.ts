import pMap from 'p-map';
import { isRecord } from '../base/json.ts';
import { indexesOfSet, nodeName, type NodeSet } from '../base/node-names.ts';
import { isConflict, isNotFound } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { KINDS, type KubeObject } from '../kube/objects.ts';
import type { Taint } from '../model/plan.ts';
import { CONCURRENCY } from './concurrency.ts';

type WrittenTaint = Readonly<Record<string, unknown>>;
type Change = (taints: readonly WrittenTaint[]) => readonly WrittenTaint[];

/** In place of one of the same key and effect. */
export const addTaint = (
  kube: KubeClient,
  nodes: NodeSet,
  { key, value, effect }: Taint,
  signal: AbortSignal,
): Promise<void> =>
  changeTaints(
    kube,
    nodes,
    (taints) => [
      ...taints.filter((one) => one['key'] !== key || one['effect'] !== effect),
      { key, value, effect },
    ],
    signal,
  );

/** Whatever value and effect it has. */
export const removeTaint = (
  kube: KubeClient,
  nodes: NodeSet,
  key: string,
  signal: AbortSignal,
): Promise<void> =>
  changeTaints(kube, nodes, (taints) => taints.filter((one) => one['key'] !== key), signal);

async function changeTaints(
  kube: KubeClient,
  nodes: NodeSet,
  change: Change,
  signal: AbortSignal,
): Promise<void> {
  await pMap(indexesOfSet(nodes), (node) => changeNode(kube, nodeName(node), change, signal), {
    concurrency: CONCURRENCY,
  });
}

/** The list is replaced as a whole: when somebody else has written or deleted the node meanwhile, it is read again. */
async function changeNode(
  kube: KubeClient,
  name: string,
  change: Change,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const node = await kube.get(KINDS.node, name, undefined, { signal });
    if (!node) return;
    const patch = {
      metadata: { resourceVersion: node.metadata.resourceVersion },
      spec: { taints: change(taintsOf(node)) },
    };
    try {
      await kube.patch(KINDS.node, name, 'merge', patch, { signal });
      return;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }
}

function taintsOf({ spec }: KubeObject): readonly WrittenTaint[] {
  const taints = isRecord(spec) ? spec['taints'] : undefined;
  return Array.isArray(taints) ? taints.filter(isRecord) : [];
}
