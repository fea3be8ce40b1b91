import { isRecord } from '../base/json.ts';
import { inSet, nodeIndex, type NodeSet } from '../base/node-names.ts';
import type { KubeObject } from '../kube/objects.ts';

/** Whether a pod is bound to one of the fake nodes. */
export function isOn(nodes: NodeSet, { spec }: KubeObject): boolean {
  const name = isRecord(spec) ? spec['nodeName'] : undefined;
  const index = typeof name === 'string' ? nodeIndex(name) : undefined;
  return index !== undefined && inSet(nodes, index);
}
