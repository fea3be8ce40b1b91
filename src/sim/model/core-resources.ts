import * as z from 'zod';
import type { JsonObject } from '../base/json.ts';
import { isForeignTaint } from './foreign-taint.ts';
import { RUN_LABEL } from './labels.ts';
import type { Fact } from './facts.ts';
import type { ObservedObject, ObservedResource, Projection } from './operator-profile.ts';

const address = z.object({ type: z.string(), address: z.string() });

const rawNode = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()).optional() }),
  spec: z
    .object({
      podCIDRs: z.array(z.string()).optional(),
      taints: z.array(z.object({ key: z.string(), effect: z.string() })).optional(),
    })
    .optional(),
  status: z
    .object({
      addresses: z.array(address).optional(),
      conditions: z.array(z.object({ type: z.string(), status: z.string() })).optional(),
    })
    .optional(),
});

/** What is kept of a Node. */
export const nodeFields = z.object({
  run: z.nullable(z.string()),
  internalIP: z.nullable(z.string()),
  podCIDRs: z.array(z.string()),
  ready: z.string(),
  taints: z.array(z.string()),
});

function projectNode(raw: unknown): Projection {
  const { metadata, spec, status } = rawNode.parse(raw);
  const fields: z.infer<typeof nodeFields> = {
    run: metadata.labels?.[RUN_LABEL] ?? null,
    internalIP: status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? null,
    podCIDRs: spec?.podCIDRs ?? [],
    ready: status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown',
    taints: (spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).sort(),
  };
  return { fields };
}

function nodeFacts(object: ObservedObject): readonly Fact[] {
  const { run, internalIP, taints } = nodeFields.parse(object.fields);
  const fact: Fact = {
    kind: 'node',
    node: object.name,
    uid: object.uid,
    run: run ?? undefined,
    internalIP: internalIP ?? undefined,
    taints: taints.filter(isForeignTaint),
  };
  return [fact];
}

/** Nodes, for every operator. A profile that reads more of them replaces this row by its own. */
export const NODES: ObservedResource = {
  id: 'nodes',
  kind: { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false },
  project: projectNode,
  facts: nodeFacts,
};

const rawPod = z.object({
  spec: z.object({ nodeName: z.string().optional(), hostNetwork: z.boolean().optional() }),
  status: z
    .object({
      phase: z.string().optional(),
      hostIP: z.string().optional(),
      podIPs: z.array(z.object({ ip: z.string() })).optional(),
      conditions: z.array(z.object({ type: z.string(), status: z.string() })).optional(),
    })
    .optional(),
});

const podFields = z.object({
  nodeName: z.nullable(z.string()),
  hostNetwork: z.boolean(),
  phase: z.string(),
  hostIP: z.nullable(z.string()),
  podIPs: z.array(z.string()),
  ready: z.boolean(),
});

function projectPod(raw: unknown): Projection {
  const { spec, status } = rawPod.parse(raw);
  const fields: z.infer<typeof podFields> = {
    nodeName: spec.nodeName ?? null,
    hostNetwork: spec.hostNetwork ?? false,
    phase: status?.phase ?? 'Pending',
    hostIP: status?.hostIP ?? null,
    podIPs: (status?.podIPs ?? []).map(({ ip }) => ip),
    ready:
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ??
      false,
  };
  return { fields: fields satisfies JsonObject };
}

function podFacts(object: ObservedObject): readonly Fact[] {
  const pod = podFields.parse(object.fields);
  if (pod.nodeName === null) return [];
  const fact: Fact = {
    kind: 'pod',
    node: pod.nodeName,
    namespace: object.namespace,
    name: object.name,
    hostNetwork: pod.hostNetwork,
    hostIP: pod.hostIP ?? undefined,
    podIPs: pod.podIPs,
    ready: pod.ready,
  };
  return [fact];
}

/** Pods, for every operator. */
export const PODS: ObservedResource = {
  id: 'pods',
  kind: { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true },
  project: projectPod,
  facts: podFacts,
};

/** The core kinds and the profile's, one row per kind: a profile's row replaces the core one of the same id. */
export function observedResources(
  ofProfile: readonly ObservedResource[],
): readonly ObservedResource[] {
  const own = new Set(ofProfile.map(({ id }) => id));
  return [...[NODES, PODS].filter(({ id }) => !own.has(id)), ...ofProfile];
}
