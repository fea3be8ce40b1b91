import { expect } from 'chai';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { fasterClock } from '../helpers/faster-clock.ts';
import { PATHS, ReferenceWorld } from '../helpers/reference-world.ts';
import { nic } from '../helpers/test-fleet.ts';

describe('the nodes of the reference controller', () => {
  let world: ReferenceWorld;
  beforeEach(async () => {
    world = await ReferenceWorld.start();
  });
  afterEach(() => world.stop());

  const calls = async (path: string): Promise<readonly string[]> =>
    (await world.fleet.records()).filter((call) => call.path === path).map(({ node }) => node);

  it('get host interfaces, a block and a pool on each interface, routes, and are counted', async () => {
    await world.addNodes([1, 2, 3], ['eth1', 'eth2']);
    await world.startController();
    await world.served([1, 2, 3], ['eth1', 'eth2']);
    expect([...world.hostInterfaces()].sort()).to.deep.equal(['sim-1', 'sim-2', 'sim-3']);
    const { lastSyncTime, ...status } = world.status() ?? {};
    expect(lastSyncTime).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(status).to.deep.equal({
      computeResults: [
        { netAddress: '10.1.0.0/16', numOfHosts: 3 },
        { netAddress: '10.2.0.0/16', numOfHosts: 3 },
      ],
      discovery: { existDaemon: 3, infoAvailable: 3, cidrProcessed: 3 },
      configStatus: 'Success',
      routeStatus: 'Success',
      message: '',
    });
    expect(world.said).to.deep.equal([]);
  });

  it('are served once, and then left in peace', async () => {
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2]);
    await aLittleLater(300);
    const [writes, told] = [world.server.writes.length, (await calls('/addl3')).length];
    await aLittleLater(1000);
    world.putPod(1); // a change that changes nothing
    await aLittleLater(200);
    expect(world.server.writes).to.have.length(writes);
    expect(await calls('/addl3')).to.have.length(told);
  });

  it('keep their blocks when others come and go, whose own go with them', async () => {
    await world.addNodes([2, 4]);
    await world.startController();
    await world.served([2, 4]);
    const before = world.blocks();
    await world.addNodes([1, 3]);
    await world.served([1, 2, 3, 4]);
    expect(world.blocks()).to.include(before);
    await world.removeNodes([2, 3]);
    await world.served([1, 4]);
    expect(world.blocks()).to.include({ 'sim-4 eth1': before['sim-4 eth1'] });
    await eventually('their interfaces to go', () => world.hostInterfaces().length === 2);
  });

  it('lose their blocks when they go, although the watch still shows their interfaces', async () => {
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2]);
    world.server.holdEvents(PATHS.hosts);
    await world.removeNodes([2]);
    await world.served([1]);
  });

  it('keep their blocks when the controller is started anew, which writes no block', async () => {
    await world.addNodes([3]);
    await world.startController();
    await world.served([3]);
    await world.addNodes([1, 2]);
    await world.served([1, 2, 3]);
    await world.stopController();
    const written = world.server.writesTo('cidrs').length + world.server.writesTo('ippools').length;
    const told = (await calls('/addl3')).length;
    const called = world.fleet.log.last;
    await world.startController();
    await eventually('the routes to be told again', () => world.fleet.log.last >= called + 3);
    await aLittleLater(200);
    expect(
      world.server.writesTo('cidrs').length + world.server.writesTo('ippools').length,
    ).to.equal(written);
    expect((await calls('/addl3')).slice(told).sort()).to.deep.equal(['sim-1', 'sim-2', 'sim-3']);
  });

  it('are not dialled before their pod is ready', async () => {
    await world.addDaemons([1, 2]);
    for (const n of [1, 2]) {
      world.server.objects.put(PATHS.nodes, `sim-${n}`, {});
      world.putPod(n, { ready: n === 1 });
    }
    await world.startController();
    await world.served([1]);
    expect(await calls('/interface')).to.deep.equal(['sim-1']);
    world.putPod(2);
    await world.served([1, 2]);
  });

  it('keep what they have while their pod is away, and count as absent', async () => {
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2]);
    world.server.objects.remove(PATHS.pods, 'multi-nicd-2');
    await eventually('one daemon less to be counted', () => {
      const discovery = world.status()?.['discovery'] as { readonly existDaemon: number };
      return discovery.existDaemon === 1;
    });
    expect(Object.keys(world.blocks())).to.deep.equal(['sim-1 eth1', 'sim-2 eth1']);
    expect(Object.keys(world.pools())).to.have.length(2);
  });

  it('are told their routes again when their daemon came back, with empty tables', async () => {
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2]);
    world.server.objects.remove(PATHS.pods, 'multi-nicd-2');
    await eventually('the daemon to be missed', () => {
      const discovery = world.status()?.['discovery'] as { readonly existDaemon: number };
      return discovery.existDaemon === 1;
    });
    await world.addDaemons([2]);
    expect(world.routes(2)).to.equal(0);
    world.putPod(2);
    await world.served([1, 2]);
  });

  it('are told their routes again by the new pod of their daemon, however quickly it came', async () => {
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2]);
    await world.addDaemons([2]);
    world.server.objects.remove(PATHS.pods, 'multi-nicd-2');
    world.putPod(2);
    await world.served([1, 2]);
  });

  it('are told their routes at their new address', async () => {
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2]);
    await world.addDaemons([7]);
    world.putPod(2, { hostIP: world.fleet.loopback.address(7) });
    await eventually('the routes to be told', () => world.routes(7) === 1);
  });

  it('without an interface are asked again until they have one', async () => {
    await world.addNodes([1]);
    await world.addNodes([2], []);
    await world.startController({ clock: fasterClock(20) });
    await world.served([1]);
    world.fleet.fleet.setInterfaces('sim-2', [nic('eth1', 2)]);
    await world.served([1, 2]);
  });

  it('are asked now and then for interfaces that came late', async () => {
    await world.addNodes([1, 2]);
    await world.startController({ clock: fasterClock(20) });
    await world.served([1, 2]);
    for (const n of [1, 2])
      world.fleet.fleet.setInterfaces(`sim-${n}`, [nic('eth1', n), nic('eth2', n)]);
    await world.served([1, 2], ['eth1', 'eth2']);
  });

  it('are asked as often as the controller is told to', async () => {
    await world.addNodes([1]);
    await world.startController({ askEveryMs: 100 });
    await world.served([1]);
    world.fleet.fleet.setInterfaces('sim-1', [nic('eth1', 1), nic('eth2', 1)]);
    await world.served([1], ['eth1', 'eth2']); // long before the half minute of the default
  });

  it('are asked for them also while a slow daemon is being asked all the time', async () => {
    await world.addNodes([1]);
    await world.addNodes([2], []);
    world.fleet.fleet.daemon('sim-2')!.behaviour = {
      name: 'slow',
      intercept: (_call, proceed) => void aLittleLater(1000).then(proceed),
    };
    await world.startController({ clock: fasterClock(20) });
    await world.served([1]);
    world.fleet.fleet.setInterfaces('sim-1', [nic('eth1', 1), nic('eth2', 1)]);
    await world.served([1], ['eth1', 'eth2']);
  });
});
