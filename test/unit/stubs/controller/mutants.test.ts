import { expect } from 'chai';
import { isCovered, parseRange } from '../../../../src/stubs/controller/arithmetic.ts';
import { mutationOf, MUTANTS, type Mutation } from '../../../../src/stubs/controller/mutants.ts';
import type { Entry } from '../../../../src/stubs/controller/objects.ts';
import { planEntries, type Host } from '../../../../src/stubs/controller/plan-entries.ts';
import { RouteBodies } from '../../../../src/stubs/controller/route-bodies.ts';
import { addL3Request } from '../../../../src/stubs/daemon/contract.ts';
import { hostOf, networkOf } from '../../../helpers/planned-network.ts';

const NETWORK = networkOf({ hostBlock: 3 });
const HOSTS = [1, 2, 3, 4, 5].map((n) => hostOf(n, ['eth1', 'eth2']));
/** In another order than by their names: a plan that is made anew by mistake does not look like the old one. */
const ARRIVALS: readonly (readonly Host[])[] = [[HOSTS[1]!, HOSTS[3]!], HOSTS];

/** What a controller does in its life, and after a restart of its process. */
interface Life {
  readonly mutation: Mutation;
  /** After each pass of the first process, and then of the second. */
  readonly first: readonly (readonly Entry[])[];
  readonly second: readonly (readonly Entry[])[];
}

function live(name: string | undefined, seed: number): Life {
  const start = (): Mutation => {
    const mutation = mutationOf(name, seed);
    if (!mutation) throw new RangeError(`no mutant ${String(name)}`);
    return mutation;
  };
  const passes = (
    mutation: Mutation,
    before: readonly Entry[],
    ...all: readonly (readonly Host[])[]
  ) => {
    const made: (readonly Entry[])[] = [];
    for (const hosts of all)
      made.push(planEntries(NETWORK, hosts, made.at(-1) ?? before, mutation).entries);
    return made;
  };
  const mutation = start();
  const first = passes(mutation, [], ...ARRIVALS, HOSTS);
  return { mutation, first, second: passes(start(), first.at(-1)!, HOSTS, HOSTS) };
}

const rowsOf = (entries: readonly Entry[]) =>
  entries.flatMap(({ netAddress, vlanCIDR, hosts }) =>
    hosts.map((row) => ({ ...row, netAddress, vlanCIDR })),
  );
const names = HOSTS.map(({ name }) => name);

/** Whether a block of one pass is another one in the next. */
const hasMoved = (passes: readonly (readonly Entry[])[]): boolean =>
  passes
    .slice(1)
    .some((entries, i) =>
      rowsOf(passes[i]!).some(({ hostName, netAddress, podCIDR }) =>
        rowsOf(entries).some(
          (row) =>
            row.hostName === hostName && row.netAddress === netAddress && row.podCIDR !== podCIDR,
        ),
      ),
    );

const toldRoutes = (life: Life, host: string): number =>
  addL3Request.parse(
    JSON.parse(new RouteBodies('net', '', life.first.at(-1)!, life.mutation).bodyFor(host)),
  ).routes.length;

/** By the invariant that guards it: whether the guarantee is broken. */
const GUARANTEES: Readonly<Record<string, (life: Life) => boolean>> = {
  INV002: ({ first, second }) =>
    [...first, ...second].some((entries) => {
      const blocks = rowsOf(entries).map(({ podCIDR }) => podCIDR);
      return new Set(blocks).size < blocks.length;
    }),
  INV003: ({ first, second }) =>
    [...first, ...second]
      .flatMap(rowsOf)
      .some(({ podCIDR, vlanCIDR }) => !isCovered(parseRange(podCIDR), parseRange(vlanCIDR))),
  INV005: ({ mutation }) => names.some((name) => mutation.poolHost(name) !== name),
  INV006: ({ mutation }) => names.some((name) => mutation.keepsPool(name)),
  INV007: ({ first, second }) => hasMoved([...first, ...second]),
  INV010: (life) =>
    names.some((name) => {
      const rows = rowsOf(life.first.at(-1)!);
      const links = rows.filter(({ hostName }) => hostName === name);
      const peers = links.flatMap(({ netAddress }) =>
        rows.filter((row) => row.netAddress === netAddress && row.hostName !== name),
      );
      return toldRoutes(life, name) < peers.length;
    }),
  INV013: ({ mutation }) => mutation.isRestless,
  INV014: ({ first }) => rowsOf(first.at(-1)!).length < 2 * HOSTS.length,
};

const broken = (life: Life): readonly string[] =>
  Object.keys(GUARANTEES).filter((code) => GUARANTEES[code]!(life));
const visible = ({ mutation, first, second }: Life) => ({
  first,
  second,
  poolHosts: names.map(mutation.poolHost),
  kept: names.filter(mutation.keepsPool),
  untold: names.flatMap((to) => names.map((peer) => mutation.tellsRoute(to, peer))),
});

describe('the honest controller', () => {
  it('breaks no guarantee', () => {
    expect(broken(live(undefined, 1))).to.deep.equal([]);
  });

  it('reports the true number', () => {
    expect(mutationOf(undefined, 1)?.processed(7)).to.equal(7);
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
