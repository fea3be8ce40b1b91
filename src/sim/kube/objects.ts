import type { ResourceKind } from '../model/operator-profile.ts';

/** The part of every Kubernetes object that sim relies on. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

export interface KubeList {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly KubeObject[];
}

const kind = (
  group: string,
  version: string,
  plural: string,
  name: string,
  namespaced: boolean,
): ResourceKind => ({ group, version, plural, kind: name, namespaced });

/** The kinds that sim itself writes. */
export const KINDS = {
  node: kind('', 'v1', 'nodes', 'Node', false),
  pod: kind('', 'v1', 'pods', 'Pod', true),
  namespace: kind('', 'v1', 'namespaces', 'Namespace', false),
  configMap: kind('', 'v1', 'configmaps', 'ConfigMap', true),
  serviceAccount: kind('', 'v1', 'serviceaccounts', 'ServiceAccount', true),
  clusterRoleBinding: kind(
    'rbac.authorization.k8s.io',
    'v1',
    'clusterrolebindings',
    'ClusterRoleBinding',
    false,
  ),
  customResourceDefinition: kind(
    'apiextensions.k8s.io',
    'v1',
    'customresourcedefinitions',
    'CustomResourceDefinition',
    false,
  ),
  flowSchema: kind('flowcontrol.apiserver.k8s.io', 'v1', 'flowschemas', 'FlowSchema', false),
} as const;

export const apiVersionOf = ({ group, version }: ResourceKind): string =>
  group === '' ? version : `${group}/${version}`;

/** The path of a collection; of all namespaces when none is given. */
export function collectionPath(of: ResourceKind, namespace?: string): string {
  const base = of.group === '' ? `/api/${of.version}` : `/apis/${of.group}/${of.version}`;
  const scope = of.namespaced && namespace !== undefined ? `/namespaces/${segment(namespace)}` : '';
  return `${base}${scope}/${of.plural}`;
}

export const objectPath = (of: ResourceKind, name: string, namespace?: string): string =>
  `${collectionPath(of, namespace)}/${segment(name)}`;

const segment = (text: string): string => encodeURIComponent(text);
