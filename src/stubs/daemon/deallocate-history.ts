import type { Clock } from '../../sim/base/clock.ts';

const KEPT_MS = 60_000;
const USUAL_OFFSET = 1;

/**
 * Pods that gave addresses back in the last minute. A pod of the same name, whatever its namespace, that asks again
 * meanwhile steps over addresses, one more each time: the last one may still be in use in the kernel.
 */
export class DeallocateHistory {
  readonly #clock: Pick<Clock, 'now'>;
  /** In the order of time. */
  readonly #byPod = new Map<string, { readonly atMs: number; readonly offset: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  note(pod: string): void {
    this.#forgetOld();
    const offset = this.#byPod.get(pod)?.offset ?? USUAL_OFFSET;
    this.#byPod.delete(pod); // to the end of the order
    this.#byPod.set(pod, { atMs: this.#clock.now(), offset });
  }

  /** How far above the highest used index the pod's next address shall be. Grows with each call for such a pod. */
  takeOffset(pod: string): number {
    this.#forgetOld();
    const entry = this.#byPod.get(pod);
    if (!entry) return USUAL_OFFSET;
    const offset = entry.offset + 1;
    this.#byPod.set(pod, { ...entry, offset });
    return offset;
  }

  #forgetOld(): void {
    const oldest = this.#clock.now() - KEPT_MS;
    for (const [pod, { atMs }] of this.#byPod) {
      if (atMs >= oldest) return;
      this.#byPod.delete(pod);
    }
  }
}
