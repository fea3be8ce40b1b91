import pMap from 'p-map';
import { nodeName, type NodeRange } from '../base/node-names.ts';
import { SimError } from '../base/errors.ts';
import { applyObjects, deleteObjects, type ManifestObject } from '../kube/manifest-file.ts';
import { KINDS } from '../kube/objects.ts';
import type { ActionKind, PlannedAction } from '../model/plan.ts';
import { askDaemons, releaseEvicted } from './allocate.ts';
import { CONCURRENCY } from './concurrency.ts';
import type { StepContext } from './context.ts';
import { beginFault, healFaults } from './faults.ts';
import { isOn } from './pods-on-nodes.ts';
import { addTaint, removeTaint } from './taints.ts';

/** One handler per kind of action: a new kind without one does not compile. */
export type ActionHandlers = {
  readonly [K in ActionKind]: (
    action: Extract<PlannedAction, { kind: K }>,
    context: StepContext,
  ) => Promise<void>;
};

export const ACTIONS: ActionHandlers = {
  // The daemon first: its operator may dial it as soon as the node is there, and must not find nobody.
  'create-node': async ({ node }, { kube, fakeNodes, daemons, signal }) => {
    await daemons?.start(node, signal);
    await kube.create(KINDS.node, fakeNodes.object(node), { name: nodeName(node), signal });
  },
  'delete-node': async ({ node }, { kube, daemons, signal }) => {
    await kube.delete(KINDS.node, nodeName(node), { signal });
    await daemons?.end(node, signal);
  },
  'delete-pods': ({ nodes }, context) => deletePods(nodes, context),
  'restart-controller': ({ signal: how }, { controller, record, signal }) =>
    restartController(how, controller, record, signal),
  'restart-component': ({ component, signal: how }, { cluster, signal }) =>
    cluster.restartComponent(component, how, signal),
  'restart-daemons': async ({ nodes, downMs }, { daemons, daemonPods, signal }) => {
    await Promise.all([daemons?.restart(nodes, downMs, signal), daemonPods?.delete(nodes, signal)]);
  },
  allocate: (action, context) => askDaemons('allocate', action, context),
  deallocate: (action, context) => askDaemons('deallocate', action, context),
  'release-evicted': (action, context) => releaseEvicted(action, context),
  taint: ({ nodes, taint }, { kube, signal }) => addTaint(kube, nodes, taint, signal),
  untaint: ({ nodes, key }, { kube, signal }) => removeTaint(kube, nodes, key, signal),
  fault: ({ nodes, fault }, context) => beginFault(nodes, fault, 'step', context, context.signal),
  heal: async ({ nodes, what }, context) => {
    await healFaults(nodes, what, 'step', context, context.signal);
  },
  'apply-manifest': ({ manifest }, context) =>
    applyObjects(context.kube, objectsOf(manifest, context), context),
  'delete-manifest': ({ manifest }, context) =>
    deleteObjects(context.kube, objectsOf(manifest, context), context),
  await: async ({ withinMs }, { observer, signal }) => {
    await observer.awaitedReached(withinMs, signal);
  },
  hold: ({ forMs }, { clock, signal }) => clock.sleep(forMs, signal),
};

function objectsOf(manifest: string, { manifests }: StepContext): readonly ManifestObject[] {
  const objects = manifests.get(manifest);
  if (!objects) throw new SimError('SIM_BUG', `the manifest ${manifest} was not read`);
  return objects;
}

/** Kinds whose neighbours run side by side. */
export const RUN_SIDE_BY_SIDE: ReadonlySet<ActionKind> = new Set<ActionKind>([
  'create-node',
  'delete-node',
]);

/** Runs one action of whatever kind. */
export function runAction(action: PlannedAction, context: StepContext): Promise<void> {
  const handler = ACTIONS[action.kind] as (a: PlannedAction, c: StepContext) => Promise<void>;
  return handler(action, context);
}

/** With no grace: the kubelet that would use it is a fake one, and the node may be gone already. */
async function deletePods(nodes: NodeRange, { kube, signal }: StepContext): Promise<void> {
  // Those of one node, as a churn asks for again and again, the server can pick out.
  const one =
    nodes.from === nodes.to ? { fieldSelector: `spec.nodeName=${nodeName(nodes.from)}` } : {};
  for await (const page of kube.pages(KINDS.pod, { ...one, signal })) {
    await pMap(
      page.items.filter((pod) => isOn([nodes], pod)),
      ({ metadata: { name, namespace } }) =>
        kube.delete(KINDS.pod, name, {
          ...(namespace === undefined ? {} : { namespace }),
          gracePeriodSeconds: 0,
          signal,
        }),
      { concurrency: CONCURRENCY },
    );
  }
}

async function restartController(
  how: 'SIGTERM' | 'SIGKILL',
  controller: StepContext['controller'],
  record: StepContext['record'],
  signal: AbortSignal,
): Promise<void> {
  const before = controller.process();
  const pid = before === undefined ? {} : { pid: before.pid };
  record({ kind: 'controller', event: 'stopping', ...pid, asked: true, how });
  await controller.restart(how, signal);
  record({ kind: 'controller', event: 'exited', ...pid, asked: true, how });
  const after = controller.process();
  record({
    kind: 'controller',
    event: 'ready',
    ...(after === undefined ? {} : { pid: after.pid }),
  });
}
