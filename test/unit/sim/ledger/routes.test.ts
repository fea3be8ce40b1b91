import { expect } from 'chai';
import { EMPTY_SET, type SetDigest } from '../../../../src/sim/base/set-digest.ts';
import { compareRoutes, routesDiffer } from '../../../../src/sim/ledger/routes.ts';
import type { FactOf } from '../../../../src/sim/model/facts.ts';
import type { FactView } from '../../../../src/sim/model/operator-profile.ts';

const THREE = { count: 3, digest: 77 };

/** What daemons should be told and were told, by `node/network`. */
const viewOf = (
  expected: Readonly<Record<string, SetDigest>>,
  told: Readonly<Record<string, SetDigest>>,
): FactView => ({
  of: (node, kind) =>
    (kind === 'routes'
      ? Object.entries(told).flatMap(([key, table]): FactOf<'routes'>[] => {
          const [of = '', network = ''] = key.split('/');
          return of === node ? [{ kind: 'routes', node, network, ...table }] : [];
        })
      : []) as never,
  routesTo: (node, network) => expected[`${node}/${network}`] ?? EMPTY_SET,
});

describe('routesDiffer', () => {
  const compared = (told: Readonly<Record<string, SetDigest>>) =>
    routesDiffer('sim-1', 'net', viewOf({ 'sim-1/net': THREE }, told));

  it('agrees where as many and the same routes were told', () => {
    expect(compared({ 'sim-1/net': THREE })).to.equal('agree');
  });

  const wrong: readonly (readonly [string, SetDigest])[] = [
    ['fewer', { count: 2, digest: 77 }],
    ['others', { count: 3, digest: 78 }],
    ['none', EMPTY_SET],
  ];
  for (const [title, told] of wrong)
    it(`tells what was told where that is ${title}`, () => {
      expect(compared({ 'sim-1/net': told })).to.deep.equal({
        node: 'sim-1',
        network: 'net',
        expected: THREE,
        told,
      });
    });

  it('does not take what was told on another network or to another node', () => {
    expect(compared({ 'sim-1/other': THREE, 'sim-2/net': THREE })).to.deep.equal({
      node: 'sim-1',
      network: 'net',
      expected: THREE,
      told: undefined,
    });
  });

  it('has nothing to say where no routes are to be told', () => {
    expect(routesDiffer('sim-1', 'net', viewOf({}, {}))).to.be.undefined;
  });
});

describe('compareRoutes', () => {
  it('looks at every node on every network, and names those that differ', () => {
    const expected = { 'sim-1/a': THREE, 'sim-1/b': THREE, 'sim-2/a': THREE, 'sim-3/a': THREE };
    const view = viewOf(expected, { 'sim-1/a': THREE, 'sim-1/b': THREE, 'sim-3/a': THREE });
    const { compared, wrong } = compareRoutes(['sim-1', 'sim-2'], ['a', 'b'], view);
    expect(compared).to.equal(3);
    expect(wrong.map(({ node, network }) => `${node}/${network}`)).to.deep.equal(['sim-2/a']);
  });

  it('has compared nothing where there is nothing to tell', () => {
    expect(compareRoutes(['sim-1'], [], viewOf({ 'sim-1/a': THREE }, {}))).to.deep.equal({
      compared: 0,
      wrong: [],
    });
  });
});
