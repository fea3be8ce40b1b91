import type { ResourceKind } from '../../model/operator-profile.ts';

/** Where the controller keeps its pools, whatever the namespaces of the networks that own them. */
export const OPERATOR_NAMESPACE = 'whereabouts';

/** One object per network, which lists all of its slices and the node of each. */
export const NODE_SLICE_POOL: ResourceKind = {
  group: 'whereabouts.cni.cncf.io',
  version: 'v1alpha1',
  plural: 'nodeslicepools',
  kind: 'NodeSlicePool',
  namespaced: true,
};

export const NETWORK_ATTACHMENT_DEFINITION: ResourceKind = {
  group: 'k8s.cni.cncf.io',
  version: 'v1',
  plural: 'network-attachment-definitions',
  kind: 'NetworkAttachmentDefinition',
  namespaced: true,
};
