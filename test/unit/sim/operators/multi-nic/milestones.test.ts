import { expect } from 'chai';
import { runMs } from '../../../../../src/sim/base/units.ts';
import { FactBook } from '../../../../../src/sim/ledger/fact-book.ts';
import type {
  BlockFact,
  DaemonFact,
  Fact,
  InterfaceFact,
  NodeFact,
  PoolFact,
} from '../../../../../src/sim/model/facts.ts';
import { milestones } from '../../../../../src/sim/operators/multi-nic/milestones.ts';
import { RouteTables } from '../../../../../src/stubs/daemon/route-table.ts';
import { MultiNicHistory, routesTo } from '../../../../helpers/multi-nic-history.ts';
import { blockOf, hostIPOf, linkOf, NETWORK, rowsOf } from '../../../../helpers/multi-nic-raw.ts';

const node = 'sim-1';
const network = NETWORK;
const INTERFACES = ['eth0', 'eth1'];
const EXPECTED = INTERFACES.map((name) => ({ network, interface: name, count: 1 }));
const ALL = milestones(INTERFACES, EXPECTED, [network]);

const nodeFact = (internalIP?: string): NodeFact => ({
  kind: 'node',
  node,
  uid: 'u',
  run: 'r1',
  internalIP,
});
const daemon = (changes: Partial<DaemonFact> = {}): DaemonFact => ({
  kind: 'daemon',
  node,
  pod: 'd',
  address: '127.64.0.1',
  ready: true,
  ...changes,
});
const nic = (name: string, of = node): InterfaceFact => ({
  kind: 'interface',
  node: of,
  interface: name,
  netAddress: '10.0.0.0/16',
  address: '10.0.0.1',
});
const block = (index: number, changes: Partial<BlockFact> = {}, of = 1): BlockFact => ({
  kind: 'block',
  network,
  node: `sim-${of}`,
  interface: `eth${index}`,
  cidr: blockOf(of, index),
  parent: undefined,
  link: { netAddress: linkOf(index), via: hostIPOf(of, index) },
  ...changes,
});
const pool = (index: number, changes: Partial<PoolFact> = {}): PoolFact => ({
  kind: 'pool',
  network,
  node,
  interface: `eth${index}`,
  cidr: blockOf(1, index),
  parent: undefined,
  ...changes,
});
/** What the daemon of sim-1 has after it was told these routes. */
const routes = (told = routesTo(1, [1, 2]), of = network): Fact => ({
  kind: 'routes',
  node,
  network: of,
  ...new RouteTables().add(of, told, true),
});

/** Whether a milestone holds for sim-1 when these facts are true. */
function holds(name: string, facts: readonly Fact[], among = ALL): boolean {
  const book = new FactBook([]);
  facts.forEach((fact, seq) => book.tell(`source ${seq}`, [fact], { seq, atMs: runMs(seq) }));
  const milestone = among.find((one) => one.name === name);
  if (!milestone) throw new Error(`there is no milestone ${name}`);
  return milestone.holds(node, book);
}

const OWN = [block(0), block(1)];
const PEERS = [block(0, {}, 2), block(1, {}, 2)];

const CASES: Readonly<Record<string, readonly (readonly [boolean, string, readonly Fact[]])[]>> = {
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
    [false, 'a block more than pools', [...OWN, block(1, { cidr: 'x' }), pool(0), pool(1)]],
  ],
  routes: [
    [true, 'those of all peers', [...OWN, ...PEERS, routes()]],
    [true, 'none, as it has no peers', OWN],
    [false, 'none, though it has peers', [...OWN, ...PEERS]],
    [false, 'one too few', [...OWN, ...PEERS, routes(routesTo(1, [1, 2]).slice(1))]],
    [false, 'as many others', [...OWN, ...PEERS, routes(routesTo(1, [1, 3]))]],
    [false, 'those of another network', [...OWN, ...PEERS, routes(routesTo(1, [1, 2]), 'other')]],
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
    ]);
    expect(Object.keys(CASES)).to.deep.equal(ALL.map(({ name }) => name));
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
    const unrouted = milestones(INTERFACES, EXPECTED, []);
    expect(holds('routes', [...OWN, ...PEERS], unrouted)).to.be.true;
  });

  it('ask the routes of every network that has some', () => {
    const other = [...OWN, ...PEERS].map((fact) => ({ ...fact, network: 'other' }));
    const two = milestones(INTERFACES, EXPECTED, [network, 'other']);
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
