import { reasonOf } from '../base/errors.ts';
import { nodeIndex } from '../base/node-names.ts';
import type { Clock } from '../base/clock.ts';
import { isNotFound } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { KINDS } from '../kube/objects.ts';
import type { PodFact } from '../model/facts.ts';
import type { Observation } from '../model/history.ts';

const LOOK_EVERY_MS = 1000;
/** kwok takes up a pod within a few hundred milliseconds of its binding, also while hundreds of nodes are created. */
const UNNOTICED_AFTER_MS = 2000;
/** So many a look at most: where kwok is slow and not blind, the nudges must not slow it further. */
const AT_ONCE = 32;
const ANNOTATION = 'sim/nudged';

/** Where the pods of a node are known. */
export interface BoundPods {
  nodesWithFacts(): Iterable<string>;
  of(node: string, kind: 'pod'): readonly PodFact[];
}

/**
 * Touches pods on fake nodes that kwok has overlooked. kwok v0.8.0 passes over a pod that is bound to a node whose
 * lease it does not hold yet, and looks at the node's pods once when it takes the lease: a pod that comes between the
 * two is never run. Any later event of the pod makes kwok look again. See docs/decisions/005.
 */
export class PodNudge {
  readonly #kube: KubeClient;
  readonly #clock: Clock;
  readonly #pods: BoundPods;
  readonly #record: (observation: Observation) => void;
  readonly #waitingSince = new Map<string, number>();
  readonly #stop = new AbortController();
  #looking: Promise<void> = Promise.resolve();
  #isLooking = false;

  constructor(
    kube: KubeClient,
    clock: Clock,
    pods: BoundPods,
    record: (observation: Observation) => void,
  ) {
    this.#kube = kube;
    this.#clock = clock;
    this.#pods = pods;
    this.#record = record;
  }

  /** Answers a function that ends it and resolves when nothing more is sent. */
  start(): () => Promise<void> {
    const stopLooking = this.#clock.every(LOOK_EVERY_MS, () => {
      if (this.#isLooking) return;
      this.#isLooking = true;
      this.#looking = this.#look().finally(() => {
        this.#isLooking = false;
      });
    });
    return async () => {
      stopLooking();
      this.#stop.abort();
      await this.#looking;
    };
  }

  async #look(): Promise<void> {
    const now = this.#clock.now();
    const waiting = new Map<string, PodFact>();
    for (const node of this.#pods.nodesWithFacts()) {
      if (nodeIndex(node) === undefined) continue;
      for (const pod of this.#pods.of(node, 'pod'))
        if (pod.hostIP === undefined) waiting.set(`${pod.namespace}/${pod.name}`, pod);
    }
    for (const key of this.#waitingSince.keys())
      if (!waiting.has(key)) this.#waitingSince.delete(key);
    const overdue: (readonly [string, PodFact, number])[] = [];
    for (const [key, pod] of waiting) {
      const since = this.#waitingSince.get(key);
      if (since === undefined) this.#waitingSince.set(key, now);
      else if (now - since >= UNNOTICED_AFTER_MS) overdue.push([key, pod, now - since]);
    }
    await Promise.all(
      overdue.slice(0, AT_ONCE).map(async ([key, pod, waitedMs]) => {
        this.#waitingSince.set(key, now);
        await this.#nudge(pod, waitedMs);
      }),
    );
  }

  async #nudge({ namespace, name, node }: PodFact, waitedMs: number): Promise<void> {
    const body = {
      metadata: { annotations: { [ANNOTATION]: `${Math.round(this.#clock.now())}` } },
    };
    try {
      await this.#kube.patch(KINDS.pod, name, 'merge', body, {
        namespace,
        signal: this.#stop.signal,
      });
      this.#record({ kind: 'nudge', namespace, name, node, waitedMs: Math.round(waitedMs) });
    } catch (error) {
      if (this.#stop.signal.aborted || isNotFound(error)) return; // the pod went away meanwhile
      const reason = reasonOf(error);
      this.#record({
        kind: 'nudge',
        namespace,
        name,
        node,
        waitedMs: Math.round(waitedMs),
        reason,
      });
    }
  }
}
