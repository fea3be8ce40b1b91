import type { BlockFact } from '../../model/facts.ts';
import type { ExpectedBlocks, FactView, Milestone } from '../../model/operator-profile.ts';

/** In the order in which a node passes them. */
export function milestones(
  interfaces: readonly string[],
  expected: readonly ExpectedBlocks[],
  routed: readonly string[],
): readonly Milestone[] {
  const has = (blocks: readonly BlockFact[], want: ExpectedBlocks): boolean =>
    blocks.some((block) => block.network === want.network && block.interface === want.interface);
  return [
    {
      name: 'daemon',
      title: 'has a daemon that is ready at its address',
      by: 'cluster',
      holds: hasDaemon,
    },
    {
      name: 'interfaces',
      title: 'has its interfaces known to the operator',
      by: 'controller',
      holds: (node, view) => {
        const known = new Set(view.of(node, 'interface').map((fact) => fact.interface));
        return interfaces.every((name) => known.has(name));
      },
    },
    {
      name: 'cidr',
      title: 'has a block for every interface of every network',
      by: 'controller',
      holds: (node, view) => {
        const blocks = view.of(node, 'block');
        return expected.every((want) => has(blocks, want));
      },
    },
    {
      name: 'pools',
      title: 'has a pool for every block',
      by: 'controller',
      holds: (node, view) => hasPools(node, view, expected.length),
    },
    {
      name: 'routes',
      title: 'has been told the routes of its peers',
      by: 'controller',
      dependsOnPeers: true,
      // A node without blocks has not come so far, whatever it was told.
      holds: (node, view) =>
        view.of(node, 'block').length >= expected.length &&
        routed.every((name) => hasRoutes(node, name, view)),
    },
  ];
}

function hasDaemon(node: string, view: FactView): boolean {
  const address = view.of(node, 'node')[0]?.internalIP;
  if (address === undefined) return false;
  return view.of(node, 'daemon').some((daemon) => daemon.ready && daemon.address === address);
}

function hasPools(node: string, view: FactView, expected: number): boolean {
  const blocks = view.of(node, 'block');
  const pools = view.of(node, 'pool');
  return (
    blocks.length >= expected &&
    blocks.every((block) =>
      pools.some(
        (pool) =>
          pool.network === block.network &&
          pool.interface === block.interface &&
          pool.cidr === block.cidr,
      ),
    )
  );
}

function hasRoutes(node: string, network: string, view: FactView): boolean {
  const { count, digest } = view.routesTo(node, network);
  const told = view.of(node, 'routes').find((routes) => routes.network === network);
  return count === 0 || (told?.count === count && told.digest === digest);
}
