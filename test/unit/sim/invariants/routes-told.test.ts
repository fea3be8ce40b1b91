import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { routesTold } from '../../../../src/sim/invariants/routes-told.ts';
import type { Route } from '../../../../src/stubs/daemon/contract.ts';
import { heldBy, messagesOf } from '../../../helpers/findings.ts';
import { MultiNicHistory, routesTo } from '../../../helpers/multi-nic-history.ts';
import { multiNicScenario, NETWORK, rowsOf } from '../../../helpers/multi-nic-raw.ts';

const STEPS = { steps: [{ scale: { to: 3, within: '30s' } }, { scale: { to: 2, within: '30s' } }] };
const ALL = [1, 2, 3];

/** Three nodes that have everything but routes, in steps that converge without. */
const three = (changes: JsonObject = {}): MultiNicHistory =>
  MultiNicHistory.begunWithout('routes', { ...STEPS, ...changes })
    .at(500)
    .servedButRoutes(3);
const settled = (history: MultiNicHistory): MultiNicHistory => history.at(2500).finish();
const found = (history: MultiNicHistory): readonly string[] =>
  messagesOf(routesTold, settled(history));
const held = (history: MultiNicHistory): number => heldBy(routesTold, settled(history));

/** What sim-1 should be told, with another first route. */
const withFirst = (changes: Partial<Route>): readonly Route[] =>
  routesTo(1, ALL).map((route, i) => (i === 0 ? { ...route, ...changes } : route));

describe('INV010, routes told', () => {
  describe('catches a daemon that was told', () => {
    const rows: readonly (readonly [string, readonly Route[], string])[] = [
      ['the routes to only one of two peers', routesTo(1, [2]), '2 routes on net, instead of 4'],
      [
        'the route to itself, too',
        [...routesTo(1, ALL), ...routesTo(2, [1]).slice(1)],
        '5 routes on net, instead of 4',
      ],
      ['an empty list', [], 'no routes on net, instead of 4'],
      [
        'a route by the gateway of another peer',
        withFirst({ via: '10.0.0.3' }),
        '4 routes on net, but not those of its peers',
      ],
      [
        'a route over another interface',
        withFirst({ iface: 'eth1' }),
        '4 routes on net, but not those of its peers',
      ],
      [
        'a route to a block that a peer has no more',
        withFirst({ net: '192.168.0.192/26' }),
        '4 routes on net, but not those of its peers',
      ],
      [
        'the routes of another node',
        routesTo(2, ALL),
        '4 routes on net, but not those of its peers',
      ],
    ];
    for (const [title, routes, what] of rows)
      it(title, () => {
        expect(
          found(
            three()
              .toldAll(...ALL)
              .told(1, routes),
          ),
        ).to.deep.equal([`the daemon of sim-1 was told ${what}, after scale-3`]);
      });

    it('in a step that missed its goal for it, when nothing had changed for five seconds', () => {
      const history = MultiNicHistory.begun().at(500).servedButRoutes(2);
      history
        .at(25_000)
        .told(1, routesTo(1, [2]))
        .at(30_100)
        .finish();
      expect(messagesOf(routesTold, history)).to.deep.equal([
        'the daemon of sim-2 was told no routes on net, instead of 2, after scale-2',
      ]);
    });

    it('nothing at all, which is every daemon here', () => {
      expect(found(three())).to.deep.equal(
        ALL.map(
          (n) => `the daemon of sim-${n} was told no routes on net, instead of 4, after scale-3`,
        ),
      );
    });

    it('to forget them', () => {
      const history = three().toldAll(...ALL);
      const table = { count: 0, digest: 0 };
      history.call(1, '/deletel3', { kind: 'deletel3', network: NETWORK, table });
      expect(found(history)).to.have.length(1);
    });

    it('still the routes to a peer that is gone', () => {
      const history = settled(three().toldAll(...ALL))
        .at(3000)
        .begin('scale-2')
        .act()
        .gone(3);
      history
        .removePool(3, 0)
        .removePool(3, 1)
        .cidr(...rowsOf(1, 2))
        .counters(2);
      history
        .told(2, routesTo(2, [1]))
        .at(5000)
        .finish();
      expect(messagesOf(routesTold, history)).to.deep.equal([
        'the daemon of sim-1 was told 4 routes on net, instead of 2, after scale-2',
      ]);
    });
  });

  describe('has nothing against', () => {
    it('routes in any order, and told more than once', () => {
      const history = three().toldAll(...ALL);
      expect(held(history.told(1, [...routesTo(1, ALL), ...routesTo(1, ALL)].reverse()))).to.equal(
        3,
      );
    });

    it('routes that were told before the blocks were seen', () => {
      const history = MultiNicHistory.begun().at(500).toldAll(1, 2).at(600).servedButRoutes(2);
      expect(heldBy(routesTold, history.at(2600).finish())).to.equal(2);
    });

    it('a controller that did not wait for the answer', () => {
      const history = three().told(1, routesTo(1, ALL), { status: 0 });
      history.told(2, routesTo(2, ALL)).told(3, routesTo(3, ALL));
      expect(held(history)).to.equal(3);
    });

    it('what was put right before the step had settled', () => {
      const history = three()
        .toldAll(...ALL)
        .told(1, [])
        .at(1000)
        .told(1, routesTo(1, ALL));
      expect(held(history)).to.equal(3);
    });

    it('the daemon of a node that is gone, even when its last call is known only later', () => {
      const history = settled(three().toldAll(...ALL))
        .at(3000)
        .begin('scale-2')
        .act()
        .gone(3);
      history.at(3100).told(3, routesTo(3, [1]), { status: 0 });
      history
        .removePool(3, 0)
        .removePool(3, 1)
        .cidr(...rowsOf(1, 2))
        .counters(2)
        .toldAll(1, 2);
      expect(heldBy(routesTold, history.at(5100).finish())).to.equal(3 + 2);
    });

    it('routes that are wrong when a step missed its goal and the controller was still at work', () => {
      const history = MultiNicHistory.begun().at(500).servedButRoutes(2);
      history
        .at(26_000)
        .told(1, [])
        .told(1, routesTo(1, [2]))
        .at(30_100)
        .finish();
      expect(history.result().steps[0]?.outcome).to.equal('failed');
      expect(routesTold.check(history.result())).to.deep.equal({
        status: 'not-applicable',
        reason: 'no routes were to be told',
      });
    });
  });

  it('does not look at networks without routes', () => {
    const networks = (multiNicScenario()['networks'] as JsonObject[]).map((network) => ({
      ...network,
      vlanMode: 'l2',
    }));
    const history = MultiNicHistory.begun({ networks }).at(500).servedButRoutes(2);
    const run = settled(history).result();
    expect(run.steps[0]?.outcome).to.equal('converged');
    expect(routesTold.check(run)).to.include({ reason: 'no routes were to be told' });
  });

  it('does not look at a node without peers', () => {
    const history = MultiNicHistory.begun({ steps: [{ scale: { to: 1 } }] });
    const run = settled(history.at(500).servedButRoutes(1)).result();
    expect(run.steps[0]?.outcome).to.equal('converged');
    expect(routesTold.check(run)).to.include({ reason: 'no routes were to be told' });
  });

  it('names the node and the network', () => {
    const verdict = routesTold.check(
      settled(
        three()
          .toldAll(...ALL)
          .told(1, []),
      ).result(),
    );
    expect(verdict)
      .to.have.property('findings')
      .that.deep.includes({
        message: 'the daemon of sim-1 was told no routes on net, instead of 4, after scale-3',
        atMs: 2500,
        objects: ['nodes/sim-1', 'networks/net'],
      });
  });
});
