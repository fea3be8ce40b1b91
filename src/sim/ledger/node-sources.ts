import type { Fact, Moment } from '../model/facts.ts';
import type { FactBook, Touched } from './fact-book.ts';

/** Facts of nodes that no object says. They end with the node. */
export class NodeSources {
  readonly #facts: FactBook;
  /** By node, the sources that say something now. */
  readonly #speaking = new Map<string, Set<string>>();

  constructor(facts: FactBook) {
    this.#facts = facts;
  }

  /** What a source says of the node from now on, in place of what it said before. */
  tell(node: string, source: string, facts: readonly Fact[], at: Moment): Touched {
    const speaking = this.#speaking.get(node) ?? new Set<string>();
    this.#speaking.set(node, speaking);
    if (facts.length > 0) speaking.add(source);
    else speaking.delete(source);
    return this.#facts.tell(source, facts, at);
  }

  /** The node is gone, and all that was said of it is over. */
  forget(node: string, at: Moment): readonly Touched[] {
    const speaking = this.#speaking.get(node) ?? new Set<string>();
    this.#speaking.delete(node);
    return [...speaking].map((source) => this.#facts.tell(source, [], at));
  }
}
