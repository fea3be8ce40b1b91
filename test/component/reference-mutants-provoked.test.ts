import { expect } from 'chai';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { fasterClock } from '../helpers/faster-clock.ts';
import { PATHS, ReferenceWorld } from '../helpers/reference-world.ts';
import { nic } from '../helpers/test-fleet.ts';

describe('a mutant of the reference controller that shows in trouble only', () => {
  let world: ReferenceWorld;
  beforeEach(async () => {
    world = await ReferenceWorld.start();
    await world.addNodes([1, 2, 3]);
  });
  afterEach(() => world.stop());

  it('takes the blocks of a host away while its daemon is not ready', async () => {
    await world.startController({ mutant: 'rows-dropped-on-daemon-restart' });
    await world.served([1, 2, 3]);
    world.putPod(3, { ready: false });
    await eventually('the block to go', () => world.blocks()['sim-3 eth1'] === undefined);
    world.putPod(3);
    await world.served([1, 2, 3]);
  });

  const taint = (...keys: readonly string[]): void => {
    const taints = keys.map((key) => ({ key, effect: 'NoSchedule' }));
    world.server.objects.put(PATHS.nodes, 'sim-3', { spec: { taints } });
  };

  it('takes the blocks of a host away while somebody has tainted its node', async () => {
    taint('kwok.x-k8s.io/node', 'node.kubernetes.io/not-ready');
    await world.startController({ mutant: 'drops-row-when-tainted' });
    await world.served([1, 2, 3]);
    taint('kwok.x-k8s.io/node', 'example.com/reserved');
    await eventually('the block to go', () => world.blocks()['sim-3 eth1'] === undefined);
    taint();
    await world.served([1, 2, 3]);
  });

  it('crashes when somebody taints a node', async () => {
    taint('kwok.x-k8s.io/node', 'node.kubernetes.io/not-ready');
    await world.startController({ mutant: 'crash-on-taint' });
    await world.served([1, 2, 3]);
    expect(world.crashes).to.equal(0);
    taint('example.com/reserved');
    await eventually('the crash', () => world.crashes > 0);
  });

  it('crashes as soon as it knows the host', async () => {
    await world.removeNodes([2]);
    await world.startController({ mutant: 'crash-at-a-node' });
    await world.served([1, 3]);
    expect(world.crashes).to.equal(0);
    await world.addNodes([2]);
    await eventually('the crash', () => world.crashes > 0);
  });

  it('takes the blocks of a host away whose daemon answers with an error', async () => {
    await world.startController({
      mutant: 'wrong-error-taken-for-gone',
      clock: fasterClock(20),
    });
    await world.served([1, 2, 3]);
    const daemon = world.fleet.fleet.daemon('sim-3')!;
    const { behaviour } = daemon;
    daemon.behaviour = {
      name: 'fails',
      intercept: (call) => call.response.status(500).json({ error: 'not now' }),
    };
    await eventually('the block to go', () => world.blocks()['sim-3 eth1'] === undefined);
    daemon.behaviour = behaviour;
    await world.served([1, 2, 3]);
  });

  it('does not find an interface that comes late', async () => {
    await world.startController({ mutant: 'late-nic-never-found', clock: fasterClock(60) });
    await world.served([1, 2, 3]);
    world.fleet.fleet.setInterfaces('sim-3', [nic('eth1', 3), nic('eth2', 3)]);
    const asked = world.fleet.log.last;
    await aLittleLater(1500);
    expect(world.fleet.log.last).to.equal(asked);
    expect(Object.keys(world.blocks())).to.have.length(3);
  });
});
