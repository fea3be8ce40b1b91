import { runMs } from '../base/units.ts';
import type { FactOf } from '../model/facts.ts';
import type { HistoryEntryOf } from '../model/history.ts';
import type { WatchedCluster } from '../model/operator-profile.ts';
import { NODES } from '../model/core-resources.ts';
import { FactBook } from './fact-book.ts';
import { ObjectStore } from './object-store.ts';

/** A counter that went back. */
export interface CounterFall {
  readonly network: string;
  readonly counter: string;
  readonly from: number;
  readonly to: number;
}

export interface CounterState {
  readonly value: number;
  /** From where it fell, while it has neither come back nor reached the number of nodes. */
  readonly fellFrom: number | undefined;
}

/** How a network stands. */
export interface NetworkState {
  readonly network: string;
  /** How many nodes the operator is to serve. */
  readonly nodes: number;
  /** By name, those that were reported. */
  readonly counters: ReadonlyMap<string, CounterState>;
  readonly blocks: number;
  readonly pools: number;
  /** By milestone, those that somebody lacks: the nodes that have reached all before it. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

const inOrder = new Intl.Collator('en', { numeric: true });

/** What is true now in a cluster that is watched. Keeps nothing of what was. */
export class ClusterFold {
  readonly store = new ObjectStore();
  readonly #watched: WatchedCluster;
  readonly #facts: FactBook;
  readonly #counters = new Map<string, Map<string, CounterState>>();

  constructor(watched: WatchedCluster) {
    this.#watched = watched;
    this.#facts = new FactBook(watched.resources);
  }

  /** Answers the counters that went back to less than there are nodes. */
  apply(entry: HistoryEntryOf<'object'>): readonly CounterFall[] {
    const change = this.store.apply(entry);
    const { counters } = this.#facts.apply(change, { seq: entry.seq, atMs: runMs(entry.atMs) });
    return counters.flatMap((fact) => this.#count(fact));
  }

  /** Every network that there is, by name. */
  networks(): readonly NetworkState[] {
    this.#facts.forgetClosed();
    const names = this.#watched.networks((id) => this.store.ofResource(id));
    for (const network of this.#counters.keys())
      if (!names.includes(network)) this.#counters.delete(network);
    const nodes = this.#nodes();
    const blocks = this.#tally('block');
    const pools = this.#tally('pool');
    return [...names].sort(inOrder.compare).map((network) => ({
      network,
      nodes: nodes.length,
      counters: new Map(this.#counters.get(network)),
      blocks: blocks.get(network) ?? 0,
      pools: pools.get(network) ?? 0,
      missing: this.#missing(network, nodes),
    }));
  }

  /** The nodes that the operator is to serve. */
  #nodes(): readonly string[] {
    return this.store
      .ofResource(NODES.id)
      .map(({ name }) => name)
      .filter((node) => this.#watched.serves(node, this.#facts))
      .sort(inOrder.compare);
  }

  #tally(kind: 'block' | 'pool'): ReadonlyMap<string, number> {
    const tally = new Map<string, number>();
    for (const node of this.#facts.nodesWithFacts())
      for (const { network } of this.#facts.of(node, kind))
        tally.set(network, (tally.get(network) ?? 0) + 1);
    return tally;
  }

  #missing(network: string, nodes: readonly string[]): NetworkState['missing'] {
    const missing = new Map<string, readonly string[]>();
    let onTheWay = nodes;
    for (const { name, lacking } of this.#watched.milestones) {
      const lack = new Set(lacking(network, onTheWay, this.#facts));
      if (lack.size > 0) missing.set(name, [...lack]);
      onTheWay = onTheWay.filter((node) => !lack.has(node));
    }
    return missing;
  }

  #count({ network, counter, value }: FactOf<'counter'>): readonly CounterFall[] {
    const counters = this.#counters.get(network) ?? new Map<string, CounterState>();
    this.#counters.set(network, counters);
    const before = counters.get(counter) ?? { value: 0, fellFrom: undefined };
    const highest = before.fellFrom ?? before.value;
    const isBelow = value < highest && value < this.#nodes().length;
    counters.set(counter, { value, fellFrom: isBelow ? highest : undefined });
    const fell = isBelow && value < before.value;
    return fell ? [{ network, counter, from: before.value, to: value }] : [];
  }
}
