import { expect } from 'chai';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { failure } from '../helpers/fake-objects.ts';
import { PATHS, ReferenceWorld } from '../helpers/reference-world.ts';

describe('the reference controller', () => {
  let world: ReferenceWorld;
  beforeEach(async () => {
    world = await ReferenceWorld.start();
  });
  afterEach(() => world.stop());

  for (const [what, path] of [
    ['host interfaces', PATHS.hosts],
    ['blocks', PATHS.cidrs],
    ['pools', PATHS.pools],
  ] as const)
    it(`does not stumble over ${what} of its own that its watch has not shown it yet`, async () => {
      world.server.holdEvents(path);
      await world.addNodes([1]);
      await world.startController();
      await eventually('the first write', () => world.server.objects.all(path).length > 0);
      const before = world.server.writes.length;
      await world.addNodes([2]);
      await eventually('the next pass', () => world.server.writes.length > before + 1);
      await aLittleLater(100);
      world.server.tellEvents();
      await world.served([1, 2]);
      expect(world.said).to.deep.equal([]);
    });

  it('goes on with the other nodes when a daemon refuses, and says which and why', async () => {
    await world.addNodes([1, 2]);
    await world.addNodes([3]);
    await world.fleet.fleet.remove(['sim-3']);
    await world.startController();
    await world.served([1, 2]);
    expect(world.said[0]).to.match(/^interfaces of sim-3: .*ECONNREFUSED/);
    await world.addDaemons([3]);
    await world.served([1, 2, 3]);
  });

  it('tells the routes again to a daemon that did not take them', async () => {
    await world.addNodes([1, 2]);
    const daemon = world.fleet.fleet.daemon('sim-2');
    const { behaviour } = daemon!;
    daemon!.behaviour = {
      name: 'no routes',
      intercept({ request, response }, proceed) {
        if (request.path === '/addl3') response.status(500).json({ error: 'not now' });
        else proceed();
      },
    };
    await world.startController();
    await eventually('the refusal', () => world.said.length > 0);
    expect(world.said[0]).to.match(/^routes of sim-2: POST \/addl3 on .*: 500 .*not now/);
    await eventually('the other daemon', () => world.routes(1) === 1);
    daemon!.behaviour = behaviour;
    await world.served([1, 2]);
  });

  it('takes a reply of no success for a refusal', async () => {
    await world.addNodes([1, 2]);
    world.fleet.fleet.daemon('sim-2')!.behaviour = {
      name: 'no success',
      intercept({ request, response }, proceed) {
        if (request.path === '/addl3') response.json({ success: false, msg: 'table full' });
        else proceed();
      },
    };
    await world.startController();
    await eventually('the refusal', () => world.said.length > 0);
    expect(world.said[0]).to.match(/^routes of sim-2: .* refused the routes: table full$/);
  });

  it('repeats what the API server did not let it do', async () => {
    let refused = 0;
    world.server.refuses = (method, path) =>
      method === 'POST' && path === PATHS.pools && ++refused <= 2
        ? failure(403, 'Forbidden', 'not yet')
        : undefined;
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2]);
    expect(world.said[0]).to.include('not yet');
    expect(refused).to.equal(4);
  });

  it('makes the other pools while one is refused, and says which', async () => {
    const isRefused = (name: string): boolean => name === 'net-192.168.0.0-22';
    await world.addNodes([1, 2, 3]);
    const { objects } = world.server;
    const create = objects.create.bind(objects);
    objects.create = (path, object) =>
      isRefused(object.metadata.name) ? failure(403, 'Forbidden', 'never') : create(path, object);
    await world.startController();
    await eventually('the other pools', () => world.poolObjects().length === 2);
    await eventually('the complaint', () => world.said.length > 0);
    expect(world.said[0]).to.match(/^pool net-192\.168\.0\.0-22: .*never/);
    await world.addNodes([4]);
    await eventually('one more', () => world.poolObjects().length === 3);
  });

  it('ends in the middle of its work when it is stopped', async () => {
    await world.addNodes([1, 2]);
    world.fleet.fleet.daemon('sim-2')!.behaviour = { name: 'hangs', intercept: () => undefined };
    await world.startController();
    await eventually('the hanging call', () => world.fleet.log.last >= 1);
    const began = performance.now();
    await world.stopController();
    expect(performance.now() - began).to.be.lessThan(1000);
  });
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
});
