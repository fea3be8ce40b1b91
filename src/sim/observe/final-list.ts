import type { Clock } from '../base/clock.ts';
import type { KubeClient } from '../kube/client.ts';
import { compareSnapshot } from '../ledger/snapshot.ts';
import type { ObservationOf } from '../model/history.ts';
import type { ObservedResource } from '../model/operator-profile.ts';
import type { Recorder } from './recorder.ts';

/** Events may still be on their way when the list is taken. */
const PATIENCE_MS = 5000;
const LOOK_EVERY_MS = 100;

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
    let snapshot = await takeSnapshot(kube, resource, signal);
    while (differs(snapshot, recorder) && clock.now() < deadline) {
      await clock.sleep(LOOK_EVERY_MS, signal);
      snapshot = await takeSnapshot(kube, resource, signal);
    }
    recorder.record(snapshot);
  }
}

async function takeSnapshot(
  kube: KubeClient,
  resource: ObservedResource,
  signal: AbortSignal,
): Promise<ObservationOf<'snapshot'>> {
  const objects: ObservationOf<'snapshot'>['objects'] = [];
  for await (const page of kube.pages(resource.kind, { signal }))
    for (const item of page.items) {
      const { name, namespace, uid = '' } = item.metadata;
      const { fields, rows } = resource.project(item);
      objects.push({
        name,
        uid,
        fields,
        ...(namespace === undefined ? {} : { namespace }),
        ...(rows === undefined ? {} : { rows: { ...rows } }),
      });
    }
  return { kind: 'snapshot', resource: resource.id, objects };
}

const differs = (snapshot: ObservationOf<'snapshot'>, { fold }: Recorder): boolean =>
  compareSnapshot({ ...snapshot, seq: 0, atMs: 0 }, fold.store).length > 0;
