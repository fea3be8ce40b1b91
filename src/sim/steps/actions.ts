import pMap from 'p-map';
import { inRange, nodeIndex, nodeName, type NodeRange } from '../base/node-names.ts';
import { isRecord } from '../base/json.ts';
import { KINDS } from '../kube/objects.ts';
import type { ActionKind, PlannedAction } from '../model/plan.ts';
import type { StepContext } from './context.ts';

/** As many as the client has connections: more would only queue. */
export const CONCURRENCY = 32;

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
  await: async ({ withinMs }, { observer, signal }) => {
    await observer.awaitedReached(withinMs, signal);
  },
  hold: ({ forMs }, { clock, signal }) => clock.sleep(forMs, signal),
};

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
  for await (const page of kube.pages(KINDS.pod, { signal })) {
    const pods = page.items.filter(({ spec }) => {
      const name = isRecord(spec) ? spec['nodeName'] : undefined;
      const index = typeof name === 'string' ? nodeIndex(name) : undefined;
      return index !== undefined && inRange(nodes, index);
    });
    await pMap(
      pods,
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
