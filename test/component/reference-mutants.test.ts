import { expect } from 'chai';
import * as z from 'zod';
import { RouteTables } from '../../src/stubs/daemon/route-table.ts';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { PATHS, ReferenceWorld } from '../helpers/reference-world.ts';
import { nic } from '../helpers/test-fleet.ts';

const statusShape = z.object({
  status: z.object({ discovery: z.object({ cidrProcessed: z.int() }) }),
});

describe('a mutant of the reference controller', () => {
  let world: ReferenceWorld;
  beforeEach(async () => {
    world = await ReferenceWorld.start();
    await world.addNodes([1, 2, 3]);
  });
  afterEach(() => world.stop());

  const allBlocks = () => eventually('all blocks', () => Object.keys(world.blocks()).length === 3);

  it('gives two hosts the same block', async () => {
    await world.startController({ mutant: 'duplicate-block' });
    await allBlocks();
    const blocks = world.blocks();
    expect(blocks['sim-2 eth1']).to.equal(blocks['sim-1 eth1']);
    expect(blocks['sim-3 eth1']).not.to.equal(blocks['sim-1 eth1']);
  });

  it('forgets a host', async () => {
    await world.startController({ mutant: 'node-forgotten' });
    await world.served([1, 3]);
    expect(world.hostInterfaces()).to.include('sim-2');
  });

  it('leaves a pool behind', async () => {
    await world.startController({ mutant: 'pool-left-behind' });
    await world.served([1, 2, 3]);
    await world.removeNodes([2, 3]);
    await eventually('the rows to go', () => Object.keys(world.blocks()).length === 1);
    await eventually('the pool of sim-3 to go', () => world.pools()['sim-3 eth1'] === undefined);
    expect(Object.keys(world.pools())).to.have.members(['sim-1 eth1', 'sim-2 eth1']);
  });

  it("writes another host's name into a pool, and is content with it", async () => {
    await world.startController({ mutant: 'pool-of-another-host' });
    await allBlocks();
    await eventually('the pools', () => world.poolObjects().length === 3);
    const owners = world.poolObjects().map(({ spec }) => spec['hostName']);
    expect(owners).to.have.members(['sim-1', 'sim-1', 'sim-3']);
    await aLittleLater(200);
    expect(world.server.writesTo('ippools').map(({ method }) => method)).to.deep.equal([
      'POST',
      'POST',
      'POST',
    ]);
  });

  it('keeps a route to itself', async () => {
    await world.startController({ mutant: 'route-missing' });
    await eventually('the routes', () => world.routes(2) === 2 && world.routes(3) === 2);
    await eventually('those of sim-1', () => world.routes(1) === 1);
  });

  it('moves every block when it is started anew', async () => {
    await world.startController({ mutant: 'reshuffle-on-restart' });
    await world.served([1, 2, 3]);
    const before = world.blocks();
    await world.stopController();
    await world.startController({ mutant: 'reshuffle-on-restart' });
    await eventually('the blocks to move', () =>
      Object.entries(world.blocks()).every(([key, block]) => block !== before[key]),
    );
    await world.served([1, 2, 3]);
  });

  it('writes the status for ever', async () => {
    await world.startController({ mutant: 'restless' });
    await world.served([1, 2, 3]);
    const version = (): string | undefined =>
      world.server.objects.get(PATHS.networks, 'net')?.metadata.resourceVersion;
    for (let times = 0; times < 3; times++) {
      const before = version();
      await eventually('another version of the network', () => version() !== before);
    }
  });

  const discovery = () => world.status()?.['discovery'];

  it('leaves the blocks of a host behind, with their pools', async () => {
    await world.startController({ mutant: 'row-left-behind' });
    await world.served([1, 2, 3]);
    const before = world.blocks();
    await world.removeNodes([2, 3]);
    await eventually('the row of sim-3 to go', () => world.blocks()['sim-3 eth1'] === undefined);
    await eventually('its pool to go', () => world.pools()['sim-3 eth1'] === undefined);
    expect(world.blocks()).to.deep.equal({
      'sim-1 eth1': before['sim-1 eth1'],
      'sim-2 eth1': before['sim-2 eth1'],
    });
    expect(Object.keys(world.pools())).to.have.members(['sim-1 eth1', 'sim-2 eth1']);
  });

  it('leaves the interfaces of a host behind', async () => {
    await world.startController({ mutant: 'host-interface-left-behind' });
    await world.served([1, 2, 3]);
    await world.removeNodes([2, 3]);
    await world.served([1]);
    await eventually('those of sim-3 to go', () => world.hostInterfaces().length === 2);
    expect(world.hostInterfaces()).to.have.members(['sim-1', 'sim-2']);
  });

  it('gives a host a second block, and is content with it', async () => {
    await world.startController({ mutant: 'second-block' });
    await eventually('the pools', () => world.poolObjects().length === 4);
    const owners = world.poolObjects().map(({ spec }) => spec['hostName']);
    expect(owners).to.have.members(['sim-1', 'sim-2', 'sim-2', 'sim-3']);
    await eventually('the count of hosts', () => discovery() !== undefined);
    await aLittleLater(200);
    expect(discovery()).to.deep.equal({ existDaemon: 3, infoAvailable: 3, cidrProcessed: 3 });
    const before = world.blocks();
    await world.removeNodes([3]);
    await world.addNodes([4]);
    await eventually('its pools', () => world.pools()['sim-4 eth1'] !== undefined);
    expect(world.blocks()).to.include({ 'sim-2 eth1': before['sim-2 eth1'] });
  });

  it('makes no pool for one interface of a host', async () => {
    world.fleet.fleet.setInterfaces('sim-2', [nic('eth1', 2), nic('eth2', 2)]);
    await world.startController({ mutant: 'pool-missing' });
    await eventually('the other pools', () => world.poolObjects().length === 3);
    await aLittleLater(100);
    const made = ['sim-1 eth1', 'sim-2 eth2', 'sim-3 eth1'];
    expect(Object.keys(world.pools())).to.have.members(made);
    expect(Object.keys(world.blocks())).to.have.members([...made, 'sim-2 eth1']);
  });

  it('moves the blocks of all others when a host leaves, and none when one comes', async () => {
    await world.startController({ mutant: 'block-moves' });
    await world.served([1, 2, 3]);
    const before = world.blocks();
    await world.addNodes([4]);
    await world.served([1, 2, 3, 4]);
    expect(world.blocks()).to.include(before);
    await world.removeNodes([4]);
    await world.served([1, 2, 3]);
    for (const [key, block] of Object.entries(world.blocks()))
      expect(block).not.to.equal(before[key]);
  });

  it('tells nobody that a host has left, until another comes', async () => {
    await world.startController({ mutant: 'stale-routes' });
    await world.served([1, 2, 3]);
    await world.removeNodes([3]);
    await eventually('the block to go', () => world.blocks()['sim-3 eth1'] === undefined);
    await aLittleLater(500);
    expect([1, 2].map((n) => world.routes(n))).to.deep.equal([2, 2]);
    await world.addNodes([4, 5]);
    await world.served([1, 2, 4, 5]);
  });

  it('tells another address for a host', async () => {
    await world.startController({ mutant: 'route-via-wrong-address' });
    await eventually('the routes', () => [1, 2, 3].every((n) => world.routes(n) === 2));
    const blocks = world.blocks();
    const route = (n: number, via: string) => ({
      net: blocks[`sim-${n} eth1`] ?? '',
      via,
      iface: 'eth1',
    });
    const expected = new RouteTables();
    const wrong = expected.add('net', [route(2, '10.1.0.254'), route(3, '10.1.0.3')], true);
    expect(world.fleet.fleet.daemon('sim-1')?.routes.table('net')).to.deep.equal(wrong);
  });

  it('reports a lower number for a moment when there are more hosts', async () => {
    const reported = (): readonly unknown[] =>
      world.server
        .writesTo('multinicnetworks')
        .map(({ body }) => statusShape.parse(body).status.discovery.cidrProcessed);
    await world.startController({ mutant: 'counter-goes-back' });
    await eventually('the true number', () => reported().at(-1) === 3);
    const before = reported().length;
    await world.addNodes([4]);
    await eventually('the true number of now', () => reported().at(-1) === 4);
    expect(reported().slice(before)).to.include(2);
  });
});
