import {
  nodeOf,
  type Fact,
  type FactKind,
  type FactOf,
  type Lifetime,
  type Moment,
} from '../model/facts.ts';
import type { FactView, ObservedResource } from '../model/operator-profile.ts';
import type { ObjectChange } from './object-store.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenFact = Mutable<Lifetime>;

/** What a change of facts touched. */
export interface Touched {
  readonly nodes: ReadonlySet<string>;
  readonly counters: readonly FactOf<'counter'>[];
}

/** Every fact of a recording with its lifetime, and those that are true now by node. */
export class FactBook implements FactView {
  readonly #all: OpenFact[] = [];
  /** Open facts by the object, or the row of it, that says them. */
  readonly #bySource = new Map<string, Map<string, OpenFact>>();
  readonly #byNode = new Map<string, Set<OpenFact>>();
  readonly #resources: ReadonlyMap<string, ObservedResource>;

  constructor(resources: readonly ObservedResource[]) {
    this.#resources = new Map(resources.map((resource) => [resource.id, resource]));
  }

  of<K extends FactKind>(node: string, kind: K): readonly FactOf<K>[] {
    const found: FactOf<K>[] = [];
    for (const { fact } of this.#byNode.get(node) ?? [])
      if (fact.kind === kind) found.push(fact as FactOf<K>);
    return found;
  }

  /** How many facts speak of the node now. */
  countOf(node: string): number {
    return this.#byNode.get(node)?.size ?? 0;
  }

  nodesWithFacts(): Iterable<string> {
    return this.#byNode.keys();
  }

  all(): readonly Lifetime[] {
    return this.#all;
  }

  ofKind<K extends FactKind>(kind: K): readonly Lifetime<FactOf<K>>[] {
    return this.#all.filter(
      (life): life is OpenFact & Lifetime<FactOf<K>> => life.fact.kind === kind,
    );
  }

  /** Closes what is no longer true and opens what is new, at one moment. */
  apply(change: ObjectChange, at: Moment): Touched {
    const resource = this.#resources.get(change.resource);
    const nodes = new Set<string>();
    const counters: FactOf<'counter'>[] = [];
    if (!resource) return { nodes, counters };
    const update = (source: string, facts: readonly Fact[]): void => {
      const { closed, opened } = this.#replace(source, change.key, facts, at);
      for (const fact of [...closed, ...opened]) {
        const node = nodeOf(fact);
        if (node !== undefined) nodes.add(node);
      }
      for (const fact of opened) if (fact.kind === 'counter') counters.push(fact);
    };
    if (change.fieldsChanged) update(change.key, change.after ? resource.facts(change.after) : []);
    for (const row of rowsToRead(change, resource)) {
      const value = change.after?.rows.get(row);
      const facts =
        change.after && value ? (resource.rowFacts?.(row, value, change.after) ?? []) : [];
      update(`${change.key}#${row}`, facts);
    }
    return { nodes, counters };
  }

  #replace(source: string, object: string, facts: readonly Fact[], at: Moment) {
    const open = this.#bySource.get(source) ?? new Map<string, OpenFact>();
    const wanted = new Map(facts.map((fact) => [JSON.stringify(fact), fact]));
    const closed: Fact[] = [];
    const opened: Fact[] = [];
    for (const [key, life] of open) {
      if (wanted.has(key)) continue;
      life.to = at;
      open.delete(key);
      this.#unindex(life);
      closed.push(life.fact);
    }
    for (const [key, fact] of wanted) {
      if (open.has(key)) continue;
      const life: OpenFact = { fact, object, from: at, to: undefined };
      open.set(key, life);
      this.#all.push(life);
      this.#index(life);
      opened.push(fact);
    }
    if (open.size > 0) this.#bySource.set(source, open);
    else this.#bySource.delete(source);
    return { closed, opened };
  }

  #index(life: OpenFact): void {
    const node = nodeOf(life.fact);
    if (node === undefined) return;
    const facts = this.#byNode.get(node);
    if (facts) facts.add(life);
    else this.#byNode.set(node, new Set([life]));
  }

  #unindex(life: OpenFact): void {
    const node = nodeOf(life.fact);
    if (node === undefined) return;
    const facts = this.#byNode.get(node);
    facts?.delete(life);
    if (facts?.size === 0) this.#byNode.delete(node);
  }
}

/** The rows that changed; all of them when the fields changed, since a row's meaning may hang on those. */
function rowsToRead(change: ObjectChange, resource: ObservedResource): Iterable<string> {
  if (!resource.rowFacts) return [];
  if (!change.fieldsChanged || !change.after) return change.changedRows;
  return new Set([...change.changedRows, ...change.after.rows.keys()]);
}
