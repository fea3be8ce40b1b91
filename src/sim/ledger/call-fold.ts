import type { Fact, Moment } from '../model/facts.ts';
import type { HistoryEntryOf } from '../model/history.ts';
import type { FactBook, Touched } from './fact-book.ts';

type Call = HistoryEntryOf<'call'>;
type Detail = NonNullable<Call['detail']>;

/**
 * What daemons were told and what they granted, as facts. They end with the node. What counts is what a daemon did,
 * not whether its answer arrived: a client that gave up waiting has changed the table all the same.
 */
export class CallFold {
  readonly #facts: FactBook;
  readonly #sources = new Map<string, Set<string>>();
  /** A daemon is ended after its node, and its last calls are known later still. */
  readonly #gone = new Set<string>();

  constructor(facts: FactBook) {
    this.#facts = facts;
  }

  apply({ node, path, detail }: Call, at: Moment): readonly Touched[] {
    if (!detail || this.#gone.has(node)) return [];
    switch (detail.kind) {
      case 'addl3':
      case 'deletel3':
        return [this.#routes(node, detail, at)];
      case 'pod':
        return path === '/select' ? [] : this.#grants(node, path === '/allocate', detail, at);
      default:
        return [];
    }
  }

  /** A node has this name, perhaps again. */
  welcome(node: string): void {
    this.#gone.delete(node);
  }

  /** The node is gone, and its daemon with everything it was told. */
  forget(node: string, at: Moment): readonly Touched[] {
    this.#gone.add(node);
    const sources = this.#sources.get(node) ?? new Set<string>();
    this.#sources.delete(node);
    return [...sources].map((source) => this.#facts.tell(source, [], at));
  }

  #routes(node: string, detail: Extract<Detail, { network: string; table: unknown }>, at: Moment) {
    const { network, table } = detail;
    const fact: Fact = { kind: 'routes', node, network, ...table };
    return this.#tell(node, `daemons/${node}/routes/${network}`, table.count > 0 ? [fact] : [], at);
  }

  #grants(
    node: string,
    isGiven: boolean,
    { namespace, pod, network, granted }: Extract<Detail, { kind: 'pod' }>,
    at: Moment,
  ): readonly Touched[] {
    const owner = `${namespace}/${pod}`;
    return granted.map(({ interface: iface, ip: address }) => {
      const fact: Fact = { kind: 'grant', network, node, interface: iface, owner, address };
      // By address, too: a client that asks again gets another one, and keeps the first.
      const source = `daemons/${node}/grants/${network}/${iface}/${owner}/${address}`;
      return this.#tell(node, source, isGiven ? [fact] : [], at);
    });
  }

  #tell(node: string, source: string, facts: readonly Fact[], at: Moment): Touched {
    const sources = this.#sources.get(node) ?? new Set<string>();
    this.#sources.set(node, sources);
    if (facts.length > 0) sources.add(source);
    else sources.delete(source);
    return this.#facts.tell(source, facts, at);
  }
}
