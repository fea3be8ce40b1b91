import type { PodFact } from '../model/facts.ts';

/** How long kwok must have started nothing, with a pod waiting all the time: it is idle, and has overlooked the pod. */
const IDLE_FOR_MS = 2000;
/**
 * How much later than a pod another was bound that runs already. kwok takes them up in no strict order: a thousand nodes
 * at once are up to nine seconds apart on two cores.
 */
const OVERTAKEN_BY_MS = 15_000;

/** A pod that is bound to a fake node and not run. */
export interface WaitingPod {
  readonly pod: PodFact;
  /** When it was first seen so, or was last pointed out. */
  readonly since: number;
}

/** Tells pods that kwok has overlooked from those it has not come to yet. Times are milliseconds of one clock. */
export class OverlookedPods {
  #waiting: ReadonlyMap<string, WaitingPod> = new Map();
  #running: ReadonlySet<string> = new Set();
  #lastStart = 0;
  /** When the youngest of the pods that run was seen to be bound. */
  #youngestStarted = 0;

  /** Answers the pods to point out to kwok, given all that are bound to fake nodes now. At most `most` of them. */
  look(pods: Iterable<PodFact>, now: number, most: number): readonly WaitingPod[] {
    const waiting = this.#survey(pods, now);
    const isIdle = now - this.#lastStart >= IDLE_FOR_MS;
    const overlooked = [...waiting]
      .filter(([, { since }]) =>
        isIdle ? now - since >= IDLE_FOR_MS : this.#youngestStarted - since >= OVERTAKEN_BY_MS,
      )
      .slice(0, most);
    for (const [key, { pod }] of overlooked) waiting.set(key, { pod, since: now });
    this.#waiting = waiting;
    return overlooked.map(([, one]) => one);
  }

  #survey(pods: Iterable<PodFact>, now: number): Map<string, WaitingPod> {
    const waiting = new Map<string, WaitingPod>();
    const running = new Set<string>();
    for (const pod of pods) {
      const key = `${pod.namespace}/${pod.name}`;
      const since = this.#waiting.get(key)?.since ?? now;
      if (pod.hostIP === undefined) {
        waiting.set(key, { pod, since });
        continue;
      }
      running.add(key);
      if (this.#running.has(key)) continue;
      this.#lastStart = now;
      this.#youngestStarted = Math.max(this.#youngestStarted, since);
    }
    this.#running = running;
    return waiting;
  }
}
