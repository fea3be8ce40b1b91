import {
  addDigests,
  EMPTY_SET,
  subtractDigests,
  textDigest,
  type SetDigest,
} from '../base/set-digest.ts';
import type { BlockFact } from '../model/facts.ts';

/** The blocks of one network on one interface network, and the digest of the routes to all of them. */
interface Link {
  readonly blocks: Set<BlockFact>;
  /** By the name of the receiving interface, because it is part of a route. Made when first asked for. */
  readonly totals: Map<string, number>;
}

/** A route as its digest has it: `net|via|iface`. */
const routeDigest = ({ cidr, link }: BlockFact, iface: string): number =>
  textDigest(`${cidr}|${link?.via ?? ''}|${iface}`);

/**
 * What every node should be told of its peers. The routes of a thousand nodes differ by one another's own: the digest
 * of all is kept up to date, and a node's is that without its own.
 */
export class RouteTotals {
  /** By network and interface network. */
  readonly #links = new Map<string, Map<string, Link>>();
  readonly #byNode = new Map<string, Set<BlockFact>>();

  add(block: BlockFact): void {
    if (!block.link) return;
    const { blocks, totals } = this.#linkOf(block.network, block.link.netAddress);
    blocks.add(block);
    for (const [iface, total] of totals)
      totals.set(iface, addDigests(total, routeDigest(block, iface)));
    const own = this.#byNode.get(block.node) ?? new Set();
    this.#byNode.set(block.node, own.add(block));
  }

  remove(block: BlockFact): void {
    if (!block.link) return;
    const { blocks, totals } = this.#linkOf(block.network, block.link.netAddress);
    blocks.delete(block);
    for (const [iface, total] of totals)
      totals.set(iface, subtractDigests(total, routeDigest(block, iface)));
    this.#byNode.get(block.node)?.delete(block);
  }

  routesTo(node: string, network: string): SetDigest {
    const own = [...(this.#byNode.get(node) ?? [])].filter((block) => block.network === network);
    const links = new Map(
      own.flatMap((block) => (block.link ? [[block.link.netAddress, block]] : [])),
    );
    return [...links].reduce((sum, [netAddress, { interface: iface }]): SetDigest => {
      const link = this.#linkOf(network, netAddress);
      const mine = own.filter((block) => block.link?.netAddress === netAddress);
      const others = mine.reduce(
        (total, block) => subtractDigests(total, routeDigest(block, iface)),
        totalOf(link, iface),
      );
      return {
        count: sum.count + link.blocks.size - mine.length,
        digest: addDigests(sum.digest, others),
      };
    }, EMPTY_SET);
  }

  #linkOf(network: string, netAddress: string): Link {
    const links = this.#links.get(network) ?? new Map<string, Link>();
    this.#links.set(network, links);
    const link = links.get(netAddress) ?? { blocks: new Set(), totals: new Map() };
    links.set(netAddress, link);
    return link;
  }
}

function totalOf({ blocks, totals }: Link, iface: string): number {
  const known = totals.get(iface);
  if (known !== undefined) return known;
  const total = [...blocks].reduce((sum, block) => addDigests(sum, routeDigest(block, iface)), 0);
  totals.set(iface, total);
  return total;
}
