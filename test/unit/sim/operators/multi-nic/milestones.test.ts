import { expect } from 'chai';
import { milestones } from '../../../../../src/sim/operators/multi-nic/milestones.ts';
import {
  ALL,
  block,
  daemon,
  fault,
  holds,
  needs,
  nic,
  nics,
  nodeFact,
  OWN,
  PEERS,
  pool,
  routes,
  type MilestoneCase,
} from '../../../../helpers/multi-nic-facts.ts';
import { MultiNicHistory, routesTo } from '../../../../helpers/multi-nic-history.ts';
import { blockOf, NETWORK, rowsOf } from '../../../../helpers/multi-nic-raw.ts';

const CASES: Readonly<Record<string, readonly MilestoneCase[]>> = {
  daemon: [
    [true, 'a ready one at the address of its node', [nodeFact('127.64.0.1'), daemon()]],
    [
      true,
      'a ready one beside an old one that is not',
      [nodeFact('127.64.0.1'), daemon({ ready: false, pod: 'old' }), daemon()],
    ],
    [false, 'none', [nodeFact('127.64.0.1')]],
    [false, 'one that is not ready', [nodeFact('127.64.0.1'), daemon({ ready: false })]],
    [false, 'one at another address', [nodeFact('127.64.0.1'), daemon({ address: '127.64.0.2' })]],
    [false, 'one without an address', [nodeFact('127.64.0.1'), daemon({ address: undefined })]],
    [
      false,
      'one without an address, on a node without one',
      [nodeFact(), daemon({ address: undefined })],
    ],
    [false, 'one of another node', [nodeFact('127.64.0.1'), daemon({ node: 'sim-2' })]],
  ],
  interfaces: [
    [true, 'all of them', [nic('eth0'), nic('eth1')]],
    [true, 'all of them and more', [nic('eth0'), nic('eth1'), nic('eth2')]],
    [false, 'none', []],
    [false, 'one of two', [nic('eth1')]],
    [false, 'those of another node', [nic('eth0', 'sim-2'), nic('eth1', 'sim-2')]],
    [false, 'one at another address', [nic('eth0'), nic('eth1', 'sim-1', '10.0.0.9')]],
    [
      true,
      'all but the one that is missing on purpose',
      [fault('missing-nic', 'eth1'), nic('eth0')],
    ],
    [false, 'all but another one than is missing', [fault('missing-nic', 'eth1'), nic('eth1')]],
    [
      false,
      'one missing on purpose from another node',
      [fault('missing-nic', 'eth1', 'sim-2'), nic('eth0')],
    ],
    [true, 'one more on purpose', [fault('extra-nic', 'eth9'), nic('eth0'), nic('eth1')]],
    [
      true,
      'the addresses to which they were moved',
      [fault('address'), nic('eth0', 'sim-1', '10.0.128.1'), nic('eth1', 'sim-1', '10.0.128.1')],
    ],
    [
      false,
      'the addresses from which they were moved',
      [fault('address'), nic('eth0'), nic('eth1')],
    ],
  ],
  cidr: [
    [true, 'a block on every interface', OWN],
    [
      true,
      'two blocks on one of them, which is for INV004 to say',
      [...OWN, block(1, { cidr: 'x' })],
    ],
    [false, 'none', []],
    [false, 'a block on one of two interfaces', [block(0)]],
    [false, 'two blocks on one of two interfaces', [block(0), block(0, { cidr: 'x' })]],
    [false, 'a block of another network', [block(0), block(1, { network: 'other' })]],
    [false, 'blocks of another node', PEERS],
    [true, 'a block on all but a missing NIC', [fault('missing-nic', 'eth1'), block(0)]],
    [false, 'a block on a missing NIC alone', [fault('missing-nic', 'eth1'), block(1)]],
  ],
  pools: [
    [true, 'one for every block', [...OWN, pool(0), pool(1)]],
    [false, 'none', OWN],
    [false, 'one for one of two blocks', [...OWN, pool(0)]],
    [false, 'pools but no blocks', [pool(0), pool(1)]],
    [false, 'fewer blocks than it should have', [block(0), pool(0)]],
    [false, 'a pool of another range', [...OWN, pool(0), pool(1, { cidr: blockOf(2, 1) })]],
    [false, 'a pool of another interface', [...OWN, pool(0), pool(1, { interface: 'eth0' })]],
    [false, 'a pool of another network', [...OWN, pool(0), pool(1, { network: 'other' })]],
    [false, 'a pool of another node', [...OWN, pool(0), pool(1, { node: 'sim-2' })]],
    [true, 'a pool less for a missing NIC', [fault('missing-nic', 'eth1'), block(0), pool(0)]],
    [false, 'a block more than pools', [...OWN, block(1, { cidr: 'x' }), pool(0), pool(1)]],
  ],
  routes: [
    [true, 'those of all peers', [...OWN, ...PEERS, routes()]],
    [true, 'none, as it has no peers', OWN],
    [false, 'none, though it has peers', [...OWN, ...PEERS]],
    [false, 'one too few', [...OWN, ...PEERS, routes(routesTo(1, [1, 2]).slice(1))]],
    [false, 'as many others', [...OWN, ...PEERS, routes(routesTo(1, [1, 3]))]],
    [false, 'those of another network', [...OWN, ...PEERS, routes(routesTo(1, [1, 2]), 'other')]],
    [false, 'none, before it has its own blocks', []],
  ],
};

describe('the milestones of multi-nic', () => {
  it('are in the order in which a node passes them, and all are tried here', () => {
    expect(ALL.map(({ name }) => name)).to.deep.equal([
      'daemon',
      'interfaces',
      'cidr',
      'pools',
      'routes',
      'leases',
    ]);
    expect([...Object.keys(CASES), 'leases']).to.deep.equal(ALL.map(({ name }) => name));
  });

  it('are the work of the controller, but for the daemon, which the cluster runs', () => {
    const byCluster = ALL.filter(({ by }) => by === 'cluster').map(({ name }) => name);
    expect(byCluster).to.deep.equal(['daemon']);
  });

  it('depend on other nodes only where routes do', () => {
    const dependent = ALL.filter(({ dependsOnPeers }) => dependsOnPeers).map(({ name }) => name);
    expect(dependent).to.deep.equal(['routes']);
  });

  for (const [name, cases] of Object.entries(CASES))
    describe(name, () => {
      for (const [isHeld, what, facts] of cases)
        it(`${isHeld ? 'holds' : 'does not hold'} with ${what}`, () => {
          expect(holds(name, facts)).to.equal(isHeld);
        });
    });

  it('ask no routes of networks that have none', () => {
    const unrouted = milestones(nics, [needs(NETWORK, false)]);
    expect(holds('routes', [...OWN, ...PEERS], unrouted)).to.be.true;
  });

  it('ask the routes of every network that has some', () => {
    const other = [...OWN, ...PEERS].map((fact) => ({ ...fact, network: 'other' }));
    const two = milestones(nics, [needs(NETWORK), needs('other')]);
    const facts = [...OWN, ...PEERS, ...other, routes()];
    expect(holds('routes', facts, two)).to.be.false;
    expect(holds('routes', [...facts, routes(undefined, 'other')], two)).to.be.true;
  });

  it('are passed one after the other, and lost by all who share it when a peer comes', () => {
    const history = MultiNicHistory.begun();
    const held = (): string =>
      (history.fold.currentStep?.progress()?.milestones ?? [])
        .map((one) => `${one.name} ${one.held}`)
        .join(', ');
    expect(held()).to.equal('daemon 0, interfaces 0, cidr 0, pools 0, routes 0');
    history.discovered(1).discovered(2);
    expect(held()).to.equal('daemon 2, interfaces 2, cidr 0, pools 0, routes 0');
    history.cidr(...rowsOf(1));
    expect(held()).to.equal('daemon 2, interfaces 2, cidr 1, pools 0, routes 1');
    history.cidr(...rowsOf(1, 2));
    expect(held()).to.equal('daemon 2, interfaces 2, cidr 2, pools 0, routes 0');
    history
      .told(1, routesTo(1, [2]))
      .pool(1, 0)
      .pool(1, 1)
      .pool(2, 0);
    expect(held()).to.equal('daemon 2, interfaces 2, cidr 2, pools 1, routes 1');
  });
});
