import * as z from 'zod';
import { PODS } from '../../model/core-resources.ts';
import type { Fact } from '../../model/facts.ts';
import type { ObservedObject, ObservedResource } from '../../model/operator-profile.ts';
import { OPERATOR_NAMESPACE } from './operator-kinds.ts';

/** Of the label `app`, by which the operator knows its daemons. */
const DAEMON_APP = 'multi-nicd';

const daemonFields = z.object({
  nodeName: z.nullable(z.string()),
  hostIP: z.nullable(z.string()),
  ready: z.boolean(),
  app: z.nullable(z.string()),
});

/** Pods as for every operator, and of those of the daemons that they are daemons. */
export const DAEMON_PODS: ObservedResource = {
  ...PODS,
  project: (raw) => {
    const { labels } = z
      .object({
        metadata: z.object({ labels: z.record(z.string(), z.string()).optional() }),
      })
      .parse(raw).metadata;
    return { fields: { ...PODS.project(raw).fields, app: labels?.['app'] ?? null } };
  },
  facts: (object) => [
    ...PODS.facts(object),
    ...(object.namespace === OPERATOR_NAMESPACE ? daemonOf(object) : []),
  ],
};

/** The daemons alone, in whatever namespace the operator is. */
export const DAEMONS: ObservedResource = {
  ...DAEMON_PODS,
  labelSelector: `app=${DAEMON_APP}`,
  facts: daemonOf,
};

function daemonOf(object: ObservedObject): readonly Fact[] {
  const { nodeName, hostIP, ready, app } = daemonFields.parse(object.fields);
  if (app !== DAEMON_APP || nodeName === null) return [];
  return [
    { kind: 'daemon', node: nodeName, pod: object.name, address: hostIP ?? undefined, ready },
  ];
}
