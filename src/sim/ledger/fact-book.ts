import type { SetDigest } from '../base/set-digest.ts';
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
import { RouteTotals } from './route-totals.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenFact = Mutable<Lifetime>;

/** What a change of facts touched. */
export interface Touched {
  readonly nodes: ReadonlySet<string>;
  /** Counters that have a new value. */
  readonly counters: readonly FactOf<'counter'>[];
  /** Whether a block came or went, which concerns the peers of its node too. */
  readonly blocks: boolean;
}

class TouchedFacts implements Touched {
  readonly nodes = new Set<string>();
  readonly counters: FactOf<'counter'>[] = [];
  blocks = false;

  note(fact: Fact, what: 'opened' | 'closed'): void {
    const node = nodeOf(fact);
    if (node !== undefined) this.nodes.add(node);
    if (fact.kind === 'block') this.blocks = true;
    if (fact.kind === 'counter' && what === 'opened') this.counters.push(fact);
  }
}

/** Every fact of a recording with its lifetime, and those that are true now by node. */
export class FactBook implements FactView {
  #all: OpenFact[] = [];
  /** Open facts by the object, or the row of it, that says them. */
  readonly #bySource = new Map<string, Map<string, OpenFact>>();
  readonly #byNode = new Map<string, Set<OpenFact>>();
  readonly #routes = new RouteTotals();
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

  /** How many facts speak of the node now, faults apart: those are of its name. */
  countOf(node: string): number {
    return (this.#byNode.get(node)?.size ?? 0) - this.of(node, 'fault').length;
  }

  nodesWithFacts(): Iterable<string> {
    return this.#byNode.keys();
  }

  all(): readonly Lifetime[] {
    return this.#all;
  }

  /** Drops what is no longer true: whoever watches without end asks for nothing else. */
  forgetClosed(): void {
    this.#all = this.#all.filter(({ to }) => to === undefined);
  }

  ofKind<K extends FactKind>(kind: K): readonly Lifetime<FactOf<K>>[] {
    return this.#all.filter(
      (life): life is OpenFact & Lifetime<FactOf<K>> => life.fact.kind === kind,
    );
  }

  routesTo(node: string, network: string): SetDigest {
    return this.#routes.routesTo(node, network);
  }

  /** Closes what is no longer true and opens what is new, at one moment. */
  apply(change: ObjectChange, at: Moment): Touched {
    const touched = new TouchedFacts();
    const resource = this.#resources.get(change.resource);
    if (!resource) return touched;
    const { key, after } = change;
    if (change.fieldsChanged)
      this.#replace(key, key, after ? resource.facts(after) : [], at, touched);
    for (const row of rowsToRead(change, resource)) {
      const value = after?.rows.get(row);
      const facts = after && value ? (resource.rowFacts?.(row, value, after) ?? []) : [];
      this.#replace(`${key}#${row}`, key, facts, at, touched);
    }
    return touched;
  }

  /** What a source other than an object says from now on, in place of what it said before. */
  tell(source: string, facts: readonly Fact[], at: Moment): Touched {
    const touched = new TouchedFacts();
    this.#replace(source, source, facts, at, touched);
    return touched;
  }

  #replace(
    source: string,
    object: string,
    facts: readonly Fact[],
    at: Moment,
    touched: TouchedFacts,
  ): void {
    const open = this.#bySource.get(source) ?? new Map<string, OpenFact>();
    const wanted = new Map(facts.map((fact) => [JSON.stringify(fact), fact]));
    for (const [key, life] of open) {
      if (wanted.has(key)) continue;
      life.to = at;
      open.delete(key);
      this.#unindex(life);
      touched.note(life.fact, 'closed');
    }
    for (const [key, fact] of wanted) {
      if (open.has(key)) continue;
      const life: OpenFact = { fact, object, from: at, to: undefined };
      open.set(key, life);
      this.#all.push(life);
      this.#index(life);
      touched.note(fact, 'opened');
    }
    if (open.size > 0) this.#bySource.set(source, open);
    else this.#bySource.delete(source);
  }

  #index(life: OpenFact): void {
    if (life.fact.kind === 'block') this.#routes.add(life.fact);
    const node = nodeOf(life.fact);
    if (node === undefined) return;
    const facts = this.#byNode.get(node);
    if (facts) facts.add(life);
    else this.#byNode.set(node, new Set([life]));
  }

  #unindex(life: OpenFact): void {
    if (life.fact.kind === 'block') this.#routes.remove(life.fact);
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
