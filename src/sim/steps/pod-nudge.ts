import { reasonOf } from '../base/errors.ts';
import { nodeIndex } from '../base/node-names.ts';
import type { Clock } from '../base/clock.ts';
import { isNotFound } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { KINDS } from '../kube/objects.ts';
import type { PodFact } from '../model/facts.ts';
import type { Observation } from '../model/history.ts';
import { OverlookedPods, type WaitingPod } from './overlooked-pods.ts';

const LOOK_EVERY_MS = 1000;
/** Where the judgement is wrong and kwok only slow, the touches must not slow it much further. */
const AT_ONCE = 32;
const ANNOTATION = 'sim/nudged';

/** Where the pods of a node are known. */
export interface BoundPods {
  nodesWithFacts(): Iterable<string>;
  of(node: string, kind: 'pod'): readonly PodFact[];
}

export interface PodNudgeOptions {
  readonly kube: KubeClient;
  readonly clock: Clock;
  readonly pods: BoundPods;
  readonly record: (observation: Observation) => void;
}

/**
 * Touches pods on fake nodes that kwok has overlooked. kwok v0.8.0 passes over a pod that is bound to a node whose
 * lease it does not hold yet, and looks at the node's pods once when it takes the lease: a pod that comes between the
 * two is never run. Any later event of the pod makes kwok look again. See docs/decisions/005.
 *
 * Answers a function that ends it and resolves when nothing more is sent.
 */
export function startPodNudge(options: PodNudgeOptions): () => Promise<void> {
  const { clock, pods } = options;
  const stop = new AbortController();
  const overlooked = new OverlookedPods();
  let touching: Promise<unknown> | undefined;
  const stopLooking = clock.every(LOOK_EVERY_MS, () => {
    if (touching) return;
    const now = clock.now();
    touching = Promise.all(
      overlooked.look(onFakeNodes(pods), now, AT_ONCE).map((one) => nudge(one, now, options, stop)),
    ).finally(() => {
      touching = undefined;
    });
  });
  return async () => {
    stopLooking();
    stop.abort();
    await touching;
  };
}

function* onFakeNodes(pods: BoundPods): Iterable<PodFact> {
  for (const node of pods.nodesWithFacts())
    if (nodeIndex(node) !== undefined) yield* pods.of(node, 'pod');
}

async function nudge(
  { pod: { namespace, name, node }, since }: WaitingPod,
  now: number,
  { kube, record }: PodNudgeOptions,
  { signal }: AbortController,
): Promise<void> {
  const about = { namespace, name, node, waitedMs: Math.round(now - since) };
  const body = { metadata: { annotations: { [ANNOTATION]: String(Math.round(now)) } } };
  try {
    await kube.patch(KINDS.pod, name, 'merge', body, { namespace, signal });
    record({ kind: 'nudge', ...about });
  } catch (error) {
    if (signal.aborted || isNotFound(error)) return; // the pod went away meanwhile
    record({ kind: 'nudge', ...about, reason: reasonOf(error) });
  }
}
