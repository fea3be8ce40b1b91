import { nodeIndex } from '../../base/node-names.ts';
import { foreignTaints, hasMovedNics, missingNics } from '../../model/excuses.ts';
import { movedAddress } from '../../model/fault.ts';
import { LEASES } from '../../model/metric.ts';
import type { ExpectedBlocks, FactView, Milestone, NicPlan } from '../../model/operator-profile.ts';

/** What a network gives to each node. */
export interface NetworkNeeds {
  readonly name: string;
  readonly blocks: readonly ExpectedBlocks[];
  /** Addresses that pods can have of one block. */
  readonly leasesPerBlock: number;
  /** Whether its daemons are told routes. */
  readonly isRouted: boolean;
}

/** In the order in which a node passes them. */
export function milestones(
  nics: (node: number) => readonly NicPlan[],
  networks: readonly NetworkNeeds[],
): readonly Milestone[] {
  const expected = expectationOf(networks);
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
      holds: (node, view) => knowsNics(node, nics(nodeIndex(node) ?? 0), view),
    },
    {
      name: 'cidr',
      title: 'has a block for every interface of every network',
      by: 'controller',
      holds: (node, view) => {
        const held = view.of(node, 'block');
        return expected(node, view).every((want) => held.some((block) => isAt(want, block)));
      },
    },
    {
      name: 'pools',
      title: 'has a pool for every block',
      by: 'controller',
      holds: (node, view) => hasPools(node, view, expected(node, view).length),
    },
    routesMilestone(networks),
    {
      name: LEASES,
      title: 'has an address in every pool for each pod that asked, and none besides',
      by: 'controller',
      holds: (node, view) =>
        networks.every((network) => hasLeases(node, network, expected(node, view), view)),
    },
  ];
}

function routesMilestone(networks: readonly NetworkNeeds[]): Milestone {
  const routed = networks.filter(({ isRouted }) => isRouted).map(({ name }) => name);
  const expected = expectationOf(networks);
  return {
    name: 'routes',
    title: 'has been told the routes of its peers',
    by: 'controller',
    dependsOnPeers: true,
    // A node without blocks has not come so far, whatever it was told.
    holds: (node, view) =>
      view.of(node, 'block').length >= expected(node, view).length &&
      routed.every((name) => hasRoutes(node, name, view)),
  };
}

/** The blocks that a node should have now: those of all its NICs that are there. */
function expectationOf(networks: readonly NetworkNeeds[]) {
  const blocks = networks.flatMap((network) => network.blocks);
  return (node: string, view: FactView): readonly ExpectedBlocks[] => {
    const missing = missingNics(node, view);
    return missing.size === 0 ? blocks : blocks.filter((one) => !missing.has(one.interface));
  };
}

const isAt = (
  want: ExpectedBlocks,
  { network, interface: nic }: { readonly network: string; readonly interface: string },
): boolean => network === want.network && nic === want.interface;

function knowsNics(node: string, nics: readonly NicPlan[], view: FactView): boolean {
  const missing = missingNics(node, view);
  const moved = hasMovedNics(node, view);
  const known = new Map(view.of(node, 'interface').map((fact) => [fact.interface, fact.address]));
  return nics
    .filter(({ interfaceName }) => !missing.has(interfaceName))
    .every(
      ({ interfaceName, hostIP }) =>
        known.get(interfaceName) === (moved ? movedAddress(hostIP) : hostIP),
    );
}

/** Where more pods ask than a block has addresses, as many must be served as there are. */
function hasLeases(
  node: string,
  { name, leasesPerBlock }: NetworkNeeds,
  expected: readonly ExpectedBlocks[],
  view: FactView,
): boolean {
  const asked = new Set(view.of(node, 'ask').map(({ owner }) => owner));
  const leases = view.of(node, 'lease').filter(({ network }) => network === name);
  if (leases.some(({ owner }) => !asked.has(owner))) return false;
  const wanted = Math.min(asked.size, leasesPerBlock);
  return expected
    .filter(({ network }) => network === name)
    .every((want) => {
      const here = leases.filter((lease) => isAt(want, lease));
      return here.length === wanted && new Set(here.map(({ owner }) => owner)).size === wanted;
    });
}

/** A taint drives its daemon away, which has not gone yet. Once it has, nothing is expected of the node. */
const isDrivenAway = (node: string, view: FactView): boolean =>
  foreignTaints(node, view).some((taint) => taint.endsWith(':NoExecute'));

function hasDaemon(node: string, view: FactView): boolean {
  const address = view.of(node, 'node')[0]?.internalIP;
  if (address === undefined) return false;
  if (isDrivenAway(node, view)) return false;
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
