import {
  ClusterFold,
  type CounterFall,
  type NetworkState,
} from '../../src/sim/ledger/cluster-fold.ts';
import { objectKey } from '../../src/sim/ledger/object-store.ts';
import type { WatchedCluster } from '../../src/sim/model/operator-profile.ts';
import type { Raw } from './multi-nic-raw.ts';

/** Objects of a watched cluster as the API server gives them, folded as a watch would. */
export class WatchedObjects {
  readonly fold: ClusterFold;
  readonly #watched: WatchedCluster;
  #seq = 0;

  constructor(watched: WatchedCluster) {
    this.#watched = watched;
    this.fold = new ClusterFold(watched);
  }

  put(resource: string, ...raws: readonly Raw[]): readonly CounterFall[] {
    return raws.flatMap((raw) => {
      const of = this.#watched.resources.find(({ id }) => id === resource);
      if (!of) throw new Error(`${resource} is not watched`);
      const key = objectKey(resource, raw.metadata);
      const delta = this.fold.store.delta(key, of.project(raw));
      return this.#apply(resource, raw.metadata, delta ?? {}, 'modified');
    });
  }

  remove(resource: string, name: string): void {
    this.#apply(resource, { name }, {}, 'deleted');
  }

  /** The only network. */
  get network(): NetworkState {
    const [only, ...others] = this.fold.networks();
    if (!only || others.length > 0) throw new Error('expected one network');
    return only;
  }

  /** What the nodes of the only network lack. */
  get missing(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.network.missing);
  }

  #apply(
    resource: string,
    { name, namespace }: Raw['metadata'],
    delta: object,
    op: 'modified' | 'deleted',
  ): readonly CounterFall[] {
    const seq = this.#seq++;
    const where = namespace === undefined ? { name } : { name, namespace };
    return this.fold.apply({
      kind: 'object',
      seq,
      atMs: seq,
      op,
      resource,
      uid: name,
      resourceVersion: String(seq),
      ...where,
      ...delta,
    });
  }
}

/** A Node as the API server gives it. */
export const rawNode = (name: string, ...podCIDRs: readonly string[]): Raw => ({
  metadata: { name },
  spec: { podCIDRs: [...podCIDRs] },
});
