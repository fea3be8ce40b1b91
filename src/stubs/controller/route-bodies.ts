import type { Mutation } from './mutation.ts';
import type { Entry } from './objects.ts';

/** The routes of one interface network, as JSON per peer, made once for all daemons. */
interface Link {
  readonly entry: Entry;
  /** By the name of the receiving interface: the JSON of each peer's route. */
  readonly routes: Map<string, readonly { readonly peer: string; readonly json: string }[]>;
}

/**
 * The bodies of `/addl3`: for every daemon the routes to all its peers. The JSON of a route is made once and joined a
 * thousand times, because a thousand daemons are told nearly the same three thousand routes.
 */
export class RouteBodies {
  readonly #network: string;
  readonly #subnet: string;
  readonly #links: readonly Link[];
  readonly #mutation: Mutation;

  constructor(network: string, subnet: string, entries: readonly Entry[], mutation: Mutation) {
    this.#network = network;
    this.#subnet = subnet;
    this.#links = entries.map((entry) => ({ entry, routes: new Map() }));
    this.#mutation = mutation;
  }

  bodyFor(host: string): string {
    const routes = this.#links.flatMap((link) => {
      const own = link.entry.hosts.find(({ hostName }) => hostName === host);
      if (!own) return [];
      return this.#routesOf(link, own.interfaceName)
        .filter(({ peer }) => peer !== host && this.#mutation.tellsRoute(host, peer))
        .map(({ json }) => json);
    });
    const head = JSON.stringify({ name: this.#network, subnet: this.#subnet }).slice(0, -1);
    return `${head},"routes":[${routes.join(',')}],"force":true}`;
  }

  #routesOf({ entry, routes }: Link, iface: string) {
    const known = routes.get(iface);
    if (known) return known;
    const made = entry.hosts.map(({ hostName, podCIDR, hostIP }) => ({
      peer: hostName,
      json: JSON.stringify({ net: podCIDR, via: this.#mutation.via(hostName, hostIP), iface }),
    }));
    routes.set(iface, made);
    return made;
  }
}
