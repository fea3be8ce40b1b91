import { addDigests, EMPTY_SET, textDigest, type SetDigest } from '../../sim/base/set-digest.ts';
import type { Route } from './contract.ts';

/** One hash per route, sorted, each once. A thousand daemons with three thousand routes each need 24 MB, not 1 GB. */
type Digests = Float64Array;

const NONE: Digests = new Float64Array(0);
/** The table of `/addroute` and `/deleteroute`. No network can have this name. */
const MAIN = '';

export const routeDigest = ({ net, via, iface }: Route): number =>
  textDigest(`${net}|${via}|${iface}`);

/** The routes of one daemon, by network. What is kept of a route is enough to compare sets, not to list them. */
export class RouteTables {
  readonly #byNetwork = new Map<string, Digests>();

  /** `force` forgets the network's routes first. Answers the table after it. */
  add(network: string, routes: readonly Route[], force: boolean): SetDigest {
    const before = force ? NONE : this.#digests(network);
    const all = new Float64Array(before.length + routes.length);
    all.set(before);
    routes.forEach((route, i) => {
      all[before.length + i] = routeDigest(route);
    });
    this.#byNetwork.set(network, sortedOnce(all));
    return this.table(network);
  }

  delete(network: string): SetDigest {
    this.#byNetwork.delete(network);
    return EMPTY_SET;
  }

  /** Adds to the main table; false when the route is there already. */
  addOne(route: Route): boolean {
    if (this.#mainHas(route)) return false;
    this.add(MAIN, [route], false);
    return true;
  }

  /** Removes from the main table; false when the route is not there. */
  deleteOne(route: Route): boolean {
    if (!this.#mainHas(route)) return false;
    const gone = routeDigest(route);
    this.#byNetwork.set(
      MAIN,
      this.#digests(MAIN).filter((digest) => digest !== gone),
    );
    return true;
  }

  table(network: string): SetDigest {
    const digests = this.#digests(network);
    return { count: digests.length, digest: digests.reduce(addDigests, 0) };
  }

  mainTable(): SetDigest {
    return this.table(MAIN);
  }

  /** All tables by their networks; the main one, if it was ever used, under the empty name. */
  tables(): Readonly<Record<string, SetDigest>> {
    return Object.fromEntries(
      [...this.#byNetwork.keys()].sort().map((network) => [network, this.table(network)]),
    );
  }

  #mainHas(route: Route): boolean {
    return this.#digests(MAIN).includes(routeDigest(route));
  }

  #digests(network: string): Digests {
    return this.#byNetwork.get(network) ?? NONE;
  }
}

function sortedOnce(digests: Digests): Digests {
  digests.sort();
  let kept = 0;
  for (const digest of digests)
    if (kept === 0 || digest !== digests[kept - 1]) digests[kept++] = digest;
  return kept === digests.length ? digests : digests.slice(0, kept);
}
