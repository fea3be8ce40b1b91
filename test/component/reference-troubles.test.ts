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
