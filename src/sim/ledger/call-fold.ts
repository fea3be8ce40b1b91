import type { Fact, Moment } from '../model/facts.ts';
import type { HistoryEntryOf } from '../model/history.ts';
import type { FactBook, Touched } from './fact-book.ts';
import { NodeSources } from './node-sources.ts';

type Call = HistoryEntryOf<'call'>;
type Detail = NonNullable<Call['detail']>;

/**
 * What daemons were told and what they granted, as facts. They end with the node. What counts is what a daemon did,
 * not whether its answer arrived: a client that gave up waiting has changed the table all the same.
 */
export class CallFold {
  readonly #sources: NodeSources;
  /** The newest table that is known, by node and network. */
  readonly #versions = new Map<string, Map<string, number>>();
  /** A daemon is ended after its node, and its last calls are known later still. */
  readonly #gone = new Set<string>();

  constructor(facts: FactBook) {
    this.#sources = new NodeSources(facts);
  }

  apply({ node, path, detail }: Call, at: Moment): readonly Touched[] {
    if (!detail || this.#gone.has(node)) return [];
    switch (detail.kind) {
      case 'addl3':
      case 'deletel3':
        return this.#routes(node, detail, at);
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
    this.#versions.delete(node);
    return this.#sources.forget(node, at);
  }

  /** Of calls that overlap, the one that changed the table first may end last: what it says is over already. */
  #routes(
    node: string,
    { network, table, version }: Extract<Detail, { network: string; table: unknown }>,
    at: Moment,
  ): readonly Touched[] {
    if (version !== undefined && this.#isOutdated(node, network, version)) return [];
    const fact: Fact = { kind: 'routes', node, network, ...table };
    const source = `daemons/${node}/routes/${network}`;
    return [this.#sources.tell(node, source, table.count > 0 ? [fact] : [], at)];
  }

  #isOutdated(node: string, network: string, version: number): boolean {
    const known = this.#versions.get(node) ?? new Map<string, number>();
    if (version < (known.get(network) ?? 0)) return true;
    this.#versions.set(node, known.set(network, version));
    return false;
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
      return this.#sources.tell(node, source, isGiven ? [fact] : [], at);
    });
  }
}
