import { NODES } from '../../model/core-resources.ts';
import type { FactView, ObservedResource, WatchedCluster } from '../../model/operator-profile.ts';
import { DAEMONS } from './daemon-pods.ts';
import { CIDRS, HOST_INTERFACES, NETWORKS, POOLS } from './resources.ts';

/** Of a pool only whose it is: the addresses given out of it are many, and none of them is shown. */
const POOLS_ALONE: ObservedResource = {
  id: POOLS.id,
  kind: POOLS.kind,
  project: (raw) => ({ fields: POOLS.project(raw).fields }),
  facts: POOLS.facts,
};

/** A cluster with the multi-nic operator. Routes are told to daemons only, so nothing is known of them here. */
export const WATCHED_MULTI_NIC: WatchedCluster = {
  resources: [NETWORKS, NODES, DAEMONS, HOST_INTERFACES, CIDRS, POOLS_ALONE],
  networks: (objectsOf) => objectsOf(NETWORKS.id).map(({ name }) => name),
  serves: (node, view) => view.of(node, 'daemon').length > 0,
  milestones: [
    {
      name: 'daemon',
      lack: 'no ready daemon',
      lacking: (_, nodes, view) =>
        nodes.filter((node) => !view.of(node, 'daemon').some(({ ready }) => ready)),
    },
    {
      name: 'interfaces',
      lack: 'no interfaces',
      lacking: (_, nodes, view) => nodes.filter((node) => view.of(node, 'interface').length === 0),
    },
    { name: 'cidr', lack: 'no block', lacking: withoutBlock },
    { name: 'pools', lack: 'no pool', lacking: withoutPool },
  ],
  hasPools: true,
};

/**
 * A node should have a block on each of its interface networks on which any node has one: whether a network uses an
 * interface network is known for certain only when it does.
 */
function withoutBlock(
  network: string,
  nodes: readonly string[],
  view: FactView,
): readonly string[] {
  const linksOf = (node: string): readonly string[] =>
    view.of(node, 'block').flatMap((block) => (block.network === network ? linkOf(block) : []));
  const used = new Set(nodes.flatMap(linksOf));
  return nodes.filter((node) => {
    const own = new Set(linksOf(node));
    const isShort = view
      .of(node, 'interface')
      .some(({ netAddress }) => used.has(netAddress) && !own.has(netAddress));
    return own.size === 0 || isShort;
  });
}

const linkOf = ({
  link,
}: {
  readonly link?: { readonly netAddress: string };
}): readonly string[] => (link ? [link.netAddress] : []);

function withoutPool(network: string, nodes: readonly string[], view: FactView): readonly string[] {
  return nodes.filter((node) => {
    const pools = view.of(node, 'pool').filter((pool) => pool.network === network);
    return view
      .of(node, 'block')
      .some(
        (block) =>
          block.network === network &&
          !pools.some(({ interface: nic, cidr }) => nic === block.interface && cidr === block.cidr),
      );
  });
}
