import type { ResourceKind } from '../../model/operator-profile.ts';

/** The namespace of the operator, its daemons included. */
export const OPERATOR_NAMESPACE = 'multi-nic-cni-operator';

/** A kind of the operator: all are cluster-scoped, in one group and version. */
export const multiNicKind = (plural: string, kind: string): ResourceKind => ({
  group: 'multinic.fms.io',
  version: 'v1',
  plural,
  kind,
  namespaced: false,
});
