import type { Clock } from '../base/clock.ts';
import type { KubeClient } from '../kube/client.ts';
import { restartedIfGone } from '../kube/retry.ts';
import { compareSnapshot } from '../ledger/snapshot.ts';
import type { ObservationOf } from '../model/history.ts';
import type { ObservedResource } from '../model/operator-profile.ts';
import { projectIfShaped } from './project-if-shaped.ts';
import type { Recorder } from './recorder.ts';

/** Events may still be on their way when the list is taken. */
const PATIENCE_MS = 5000;
const LOOK_EVERY_MS = 100;

interface FinalList {
  readonly snapshot: ObservationOf<'snapshot'>;
  /** What is said of objects that could not be read, and so are not in the snapshot. */
  readonly refusals: readonly string[];
}

/**
 * Lists every kind once more and records the lists, to be held against the folded state. Waits a little for events
 * that are under way, so that "we stopped watching too soon" does not look like a loss.
 */
export async function recordFinalLists(
  kube: KubeClient,
  clock: Clock,
  resources: readonly ObservedResource[],
  recorder: Recorder,
  signal: AbortSignal,
): Promise<void> {
  const deadline = clock.now() + PATIENCE_MS;
  for (const resource of resources) {
    let list = await takeList(kube, resource, signal);
    while (differs(list, recorder) && clock.now() < deadline) {
      await clock.sleep(LOOK_EVERY_MS, signal);
      list = await takeList(kube, resource, signal);
    }
    for (const reason of list.refusals)
      recorder.record({ kind: 'gap', resource: resource.id, reason, fromMs: recorder.now() });
    recorder.record(list.snapshot);
  }
}

const takeList = (
  kube: KubeClient,
  resource: ObservedResource,
  signal: AbortSignal,
): Promise<FinalList> =>
  restartedIfGone(async () => {
    const { labelSelector } = resource;
    const selection = labelSelector === undefined ? { signal } : { signal, labelSelector };
    const objects: ObservationOf<'snapshot'>['objects'] = [];
    const refusals: string[] = [];
    for await (const page of kube.pages(resource.kind, selection))
      for (const item of page.items) {
        const { projection, refusal } = projectIfShaped(resource, item);
        if (projection === undefined) {
          refusals.push(refusal);
          continue;
        }
        const { name, namespace, uid = '' } = item.metadata;
        const { fields, rows } = projection;
        objects.push({
          name,
          uid,
          fields,
          ...(namespace === undefined ? {} : { namespace }),
          ...(rows === undefined ? {} : { rows: { ...rows } }),
        });
      }
    return { snapshot: { kind: 'snapshot', resource: resource.id, objects }, refusals };
  });

const differs = ({ snapshot }: FinalList, { fold }: Recorder): boolean =>
  compareSnapshot({ ...snapshot, seq: 0, atMs: 0 }, fold.store).length > 0;
