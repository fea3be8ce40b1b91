import { expect } from 'chai';
import { AllocatedNetwork } from '../../../../src/stubs/controller/allocated-network.ts';
import { isCovered, parseRange } from '../../../../src/stubs/controller/arithmetic.ts';
import type { HostState, Mutation } from '../../../../src/stubs/controller/mutation.ts';
import { mutationOf, MUTANTS } from '../../../../src/stubs/controller/mutants.ts';
import type { Entry } from '../../../../src/stubs/controller/objects.ts';
import {
  planEntries,
  type Host,
  type NetworkPlan,
} from '../../../../src/stubs/controller/plan-entries.ts';
import { addL3Request } from '../../../../src/stubs/daemon/contract.ts';
import { victimOf } from '../../../../src/stubs/mutant.ts';
import { blocksOn, hostOf, networkOf } from '../../../helpers/planned-network.ts';

/** Eight blocks per interface network, of which the first is excluded. */
const EXCLUDED = ['192.168.0.0/20', '192.168.128.0/20'];
const NETWORK = networkOf({ hostBlock: 3, excludeCIDRs: EXCLUDED });
const SMALL = networkOf({ hostBlock: 2 });
const host = (n: number): Host => hostOf(n, ['eth1', 'eth2']);
const HOSTS = [1, 2, 3, 4, 5].map(host);
/** In another order than by their names: a plan that is made anew by mistake does not look like the old one. */
const ARRIVALS: readonly (readonly Host[])[] = [[host(2), host(4)], HOSTS, HOSTS];
/** More than there are blocks; then there is room again for those that come next. */
const CROWD: readonly (readonly Host[])[] = [
  [...HOSTS, host(6)],
  [host(1), host(2)],
  HOSTS.slice(0, 4),
];

/** What a controller does in its life, and after a restart of its process. */
interface Life {
  readonly mutation: Mutation;
  /** After each pass of the first process. */
  readonly first: readonly (readonly Entry[])[];
  /** After each pass of the second: at first nothing has changed, then the last host leaves, then the victim. */
  readonly second: readonly (readonly Entry[])[];
  /** What hosts have that came to a network which had been full. */
  readonly crowded: readonly Entry[];
}

function live(name: string | undefined, seed: number): Life {
  const start = (): Mutation => {
    const mutation = mutationOf(name, seed);
    if (!mutation) throw new RangeError(`no mutant ${String(name)}`);
    return mutation;
  };
  const passes = (
    network: NetworkPlan,
    mutation: Mutation,
    before: readonly Entry[],
    all: readonly (readonly Host[])[],
  ) => {
    const made: (readonly Entry[])[] = [];
    for (const hosts of all)
      made.push(planEntries(network, hosts, made.at(-1) ?? before, mutation).entries);
    return made;
  };
  const mutation = start();
  const first = passes(NETWORK, mutation, [], ARRIVALS);
  const fewer = HOSTS.slice(0, 4);
  const without = fewer.filter((one) => one.name !== victimOf(seed));
  const second = passes(NETWORK, start(), first.at(-1)!, [HOSTS, HOSTS, fewer, without]);
  return { mutation, first, second, crowded: passes(SMALL, start(), [], CROWD).at(-1)! };
}

const rowsOf = (entries: readonly Entry[]) =>
  entries.flatMap(({ netAddress, vlanCIDR, hosts }) =>
    hosts.map((row) => ({ ...row, netAddress, vlanCIDR })),
  );
const names = HOSTS.map(({ name }) => name);

/** Whether a host lost a block from one pass to the next, and has another one instead. */
const hasMoved = (passes: readonly (readonly Entry[])[]): boolean =>
  passes.slice(1).some((entries, i) =>
    rowsOf(passes[i]!).some(({ hostName, netAddress, podCIDR }) => {
      const later = rowsOf(entries)
        .filter((row) => row.hostName === hostName && row.netAddress === netAddress)
        .map((row) => row.podCIDR);
      return later.length > 0 && !later.includes(podCIDR);
    }),
  );

const allocated = ({ first, mutation }: Life): AllocatedNetwork =>
  new AllocatedNetwork(NETWORK, '192.168.0.0/16', first.at(-1)!, mutation);

const told = (life: Life, to: string): readonly string[] =>
  addL3Request
    .parse(JSON.parse(allocated(life).routesFor(to)))
    .routes.map(({ net, via, iface }) => `${net} ${via} ${iface}`);
/** A host's interfaces have the same names as those of its peers. One without a block is told nothing. */
const toldRightly = (life: Life, to: string): readonly string[] =>
  rowsOf(life.first.at(-1)!)
    .filter(({ hostName }) => allocated(life).owners.has(to) && hostName !== to)
    .map(({ podCIDR, hostIP, interfaceName }) => `${podCIDR} ${hostIP} ${interfaceName}`);

const pools = (life: Life): readonly string[] =>
  [...allocated(life).pools.values()]
    .map(({ podCIDR, hostName, interfaceName }) => `${podCIDR} ${hostName} ${interfaceName}`)
    .sort();
const poolsOfBlocks = ({ first }: Life): readonly string[] =>
  [...new Map(rowsOf(first.at(-1)!).map((row) => [row.podCIDR, row])).values()]
    .map(({ podCIDR, hostName, interfaceName }) => `${podCIDR} ${hostName} ${interfaceName}`)
    .sort();

const state = (name: string, more: Partial<HostState> = {}): HostState => ({
  name,
  daemonIP: '127.0.0.1',
  taints: ['kwok.x-k8s.io/node', 'node.kubernetes.io/not-ready'],
  ...more,
});

/** Whether a host is lost whose daemon is away, whose node is tainted, or whose daemon has answered with an error. */
function losesHosts({ mutation }: Life): boolean {
  const troubled = [{ daemonIP: undefined }, { taints: ['example.com/full'] }, {}];
  mutation.heard('127.0.0.1', true);
  const isLost = troubled.some((more) => mutation.losesHost(state('sim-1', more)));
  mutation.heard('127.0.0.1', false);
  return isLost;
}

/** Whether the number that is reported ever falls while the true one grows. */
function countsBack({ mutation }: Life): boolean {
  const reported = [3, 3, 4, 6, 6].map((value) => mutation.processed(value, 'net'));
  return reported.some((value, i) => value < (reported[i - 1] ?? 0));
}

const sets = <T, U>(a: Iterable<T>, b: Iterable<U>): readonly [Set<T>, Set<U>] => [
  new Set(a),
  new Set(b),
];

/** By what guards it: whether the guarantee is broken. */
const GUARANTEES: Readonly<Record<string, (life: Life) => boolean>> = {
  INV002: ({ first, second }) =>
    [...first, ...second].some((entries) => {
      const blocks = rowsOf(entries).map(({ podCIDR }) => podCIDR);
      return new Set(blocks).size < blocks.length;
    }),
  INV003: ({ first, second }) =>
    [...first, ...second]
      .flatMap(rowsOf)
      .some(
        ({ podCIDR, vlanCIDR }) =>
          !isCovered(parseRange(podCIDR), parseRange(vlanCIDR)) || EXCLUDED.includes(podCIDR),
      ),
  INV004: ({ first, second }) =>
    [...first, ...second].flat().some(({ hosts }) => {
      const owners = hosts.map(({ hostName }) => hostName);
      return new Set(owners).size < owners.length;
    }),
  INV005: (life) => pools(life).join() !== poolsOfBlocks(life).join(),
  INV006: ({ mutation, second }) =>
    names.some((name) => mutation.keepsPool(name) || mutation.keepsHostInterface(name)) ||
    new Set(rowsOf(second.at(-1)!).map(({ hostName }) => hostName)).size > 3,
  INV007: (life) => hasMoved([...life.first, ...life.second]) || losesHosts(life),
  INV010: (life) =>
    names.some((name) => told(life, name).join() !== toldRightly(life, name).join()) ||
    !life.mutation.tellsAgain(...sets(names, names.slice(1))),
  INV012: ({ mutation }) =>
    names.some((name) => mutation.crashes([state(name), state('a', { taints: ['x'] })])),
  INV013: ({ mutation }) => mutation.isRestless,
  INV014: ({ first, crowded }) =>
    rowsOf(first.at(-1)!).length < 2 * HOSTS.length || rowsOf(crowded).length < 2 * 4,
  'regressions(processed) == 0': countsBack,
  convergence: ({ mutation }) => !mutation.asksAgain,
};

const broken = (life: Life): readonly string[] =>
  Object.keys(GUARANTEES).filter((code) => GUARANTEES[code]!(life));
const visible = (life: Life) => ({
  first: life.first,
  second: life.second,
  crowded: life.crowded,
  pools: pools(life),
  kept: names.filter(life.mutation.keepsPool),
  told: names.map((name) => told(life, name)),
  crashes: names.filter((name) => life.mutation.crashes([state(name)])),
});

describe('the honest controller', () => {
  it('breaks no guarantee', () => {
    expect(broken(live(undefined, 1))).to.deep.equal([]);
  });

  it('reports the true number', () => {
    expect(mutationOf(undefined, 1)?.processed(7, 'net')).to.equal(7);
  });
});

describe('a mutant', () => {
  it('is known by its name alone', () => {
    expect(mutationOf('no-such-mutant', 1)).to.equal(undefined);
    expect(new Set(MUTANTS.map(({ name }) => name)).size).to.equal(MUTANTS.length);
  });

  for (const { name, breaks, what } of MUTANTS) {
    it(`"${name}" ${what}: it breaks ${breaks} and nothing else`, () => {
      for (const seed of [0, 1, 2, 3, 4, 5, 2 ** 31])
        expect(broken(live(name, seed)), `under seed ${seed}`).to.deep.equal([breaks]);
    });

    it(`"${name}" does the same again under the same seed`, () => {
      for (const seed of [0, 1, 2])
        expect(visible(live(name, seed))).to.deep.equal(visible(live(name, seed)));
    });
  }

  it('wrongs one of three hosts, which the seed chooses', () => {
    const wronged = (seed: number) =>
      names.filter((name) => mutationOf('node-forgotten', seed)?.forgets(name) === true);
    expect([0, 1, 2, 3].map(wronged)).to.deep.equal([['sim-2'], ['sim-3'], ['sim-4'], ['sim-2']]);
  });
});

describe('the mutant "reshuffle-on-restart"', () => {
  it('keeps every block until it is started anew, and then moves all of them once', () => {
    const { first, second } = live('reshuffle-on-restart', 1);
    expect(hasMoved(first)).to.equal(false);
    expect(hasMoved(second)).to.equal(false);
    const [before, after] = [rowsOf(first.at(-1)!), rowsOf(second[0]!)];
    expect(after.map(({ podCIDR }) => podCIDR)).to.have.members(
      before.map(({ podCIDR }) => podCIDR),
    );
    const stayed = after.filter(({ hostName, podCIDR }) =>
      before.some((row) => row.hostName === hostName && row.podCIDR === podCIDR),
    );
    expect(stayed).to.deep.equal([]);
  });
});

describe('the mutant "starved-node-never-served"', () => {
  it('serves everybody until the network is full, and each interface network by itself', () => {
    const { mutation } = live('starved-node-never-served', 1);
    const crowd = [1, 2, 3, 4, 5].map((n) => hostOf(n, ['eth1']));
    const full = planEntries(SMALL, crowd, [], mutation);
    expect(full.starved).to.deep.equal(['sim-5']);
    const { entries } = planEntries(SMALL, [hostOf(1), host(5)], full.entries, mutation);
    expect(Object.keys(blocksOn(entries))).to.deep.equal(['sim-1']);
    expect(Object.keys(blocksOn(entries, '10.2.0.0/16'))).to.deep.equal(['sim-5']);
  });
});
