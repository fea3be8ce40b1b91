import { nodeIndex, nodeName } from '../base/node-names.ts';
import type { Moment } from '../model/facts.ts';
import type { RemovalOrder } from '../model/plan.ts';
import type { Interference, NodeLife } from '../model/recorded-run.ts';
import type { ObjectChange } from './object-store.ts';

type MutableLife = { -readonly [K in keyof NodeLife]: NodeLife[K] };

/** When each fake node lived, and whether it was sim that took it away. */
export class NodeLives {
  readonly #all: MutableLife[] = [];
  readonly #living = new Map<string, MutableLife>();
  readonly #removing = new Map<string, RemovalOrder>();
  readonly #interferences: Interference[] = [];

  all(): readonly NodeLife[] {
    return this.#all;
  }

  living(): readonly string[] {
    return [...this.#living.keys()];
  }

  interferences(): readonly Interference[] {
    return this.#interferences;
  }

  removalBegun(index: number, order: RemovalOrder): void {
    this.#removing.set(nodeName(index), order);
  }

  apply({ before, after }: ObjectChange, at: Moment): void {
    if (before && before.uid !== after?.uid) this.#end(before.name, at);
    if (after && before?.uid !== after.uid)
      this.#begin(after.name, after.uid, after.fields['run'], at);
  }

  #begin(node: string, uid: string, run: unknown, at: Moment): void {
    const index = nodeIndex(node);
    if (index === undefined || typeof run !== 'string') return; // not one of ours
    const life = { node, index, uid, from: at, to: undefined, removal: undefined };
    this.#all.push(life);
    this.#living.set(node, life);
    this.#removing.delete(node);
  }

  #end(node: string, at: Moment): void {
    const life = this.#living.get(node);
    if (!life) return;
    this.#living.delete(node);
    life.to = at;
    life.removal = this.#removing.get(node);
    if (life.removal === undefined) this.#interferences.push({ node, atMs: at.atMs });
  }
}
