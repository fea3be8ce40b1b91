import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import type { NodeSet } from '../../src/sim/base/node-names.ts';
import { realClock } from '../../src/sim/host/real-clock.ts';
import type { Fault } from '../../src/sim/model/fault.ts';
import { StepDaemons } from '../helpers/step-daemons.ts';

const NEVER = new AbortController().signal;
const ERROR: Fault = { kind: 'error', status: 503 };
const REFUSED = 'ECONNREFUSED';
const only = (node: number): NodeSet => [{ from: node, to: node }];
const ALL: NodeSet = [{ from: 1, to: 9 }];

describe('the daemons of a run', function () {
  this.timeout(30_000);
  let world: StepDaemons;
  before(async () => {
    world = await StepDaemons.start();
  });
  after(() => world.stop());
  afterEach(() => world.clear());

  const start = async (...nodes: readonly number[]): Promise<void> => {
    for (const node of nodes) await world.daemons.start(node, NEVER);
  };
  const add = (nodes: NodeSet, fault: Fault) => world.daemons.addFault(nodes, fault, NEVER);
  const heal = (nodes: NodeSet, what?: Fault['kind']) => world.daemons.heal(nodes, what, NEVER);

  it('answer at the addresses of their nodes, with the NICs of the plan', async () => {
    expect(world.daemons.networks).to.equal(world.plan.networks);
    expect(world.daemons.endpoint(300)).to.match(/^127\.\d+\.1\.44:\d+$/);
    await start(1);
    expect(await world.statusOf(1)).to.equal(200);
    expect(await world.nicsOf(1)).to.deep.equal(
      [1, 2].map((k) => ({
        interfaceName: `eth${k}`,
        netAddress: `10.${k}.0.0/16`,
        hostIP: `10.${k}.0.1`,
        vendor: '1af4',
        product: '1000',
        pciAddress: `0000:00:0${k + 3}.0`,
      })),
    );
  });

  it('refuse once their node is gone', async () => {
    await start(1, 2);
    await world.daemons.end(1, NEVER);
    expect(await world.statusOf(1)).to.equal(REFUSED);
    expect(await world.statusOf(2)).to.equal(200);
  });

  describe('and their faults', () => {
    it('are in force at once, on the nodes of the set', async () => {
      await start(1, 2, 3);
      await add([...only(1), ...only(3)], ERROR);
      expect(await world.statusOf(1)).to.equal(503);
      expect(await world.statusOf(2)).to.equal(200);
      expect(await world.statusOf(3)).to.equal(503);
    });

    it('belong to the names of nodes: those that come later, or again, have them', async () => {
      await start(1);
      await add(ALL, ERROR);
      await start(2);
      expect(await world.statusOf(2)).to.equal(503);
      await world.daemons.end(1, NEVER);
      await start(1);
      expect(await world.statusOf(1)).to.equal(503);
      await heal(only(1));
      await start(1);
      expect(await world.statusOf(1)).to.equal(200);
      expect(await world.statusOf(2)).to.equal(503);
    });

    it('take the place of others of their kind, and stay beside those of other kinds', async () => {
      await start(1);
      await add(only(1), { kind: 'hang' });
      await add(only(1), { kind: 'missing-nic', interface: 'eth1' });
      await add(only(1), ERROR);
      expect(await world.statusOf(1)).to.equal(503);
      expect(await heal(ALL)).to.deep.equal([
        { fault: ERROR, nodes: only(1) },
        { fault: { kind: 'missing-nic', interface: 'eth1' }, nodes: only(1) },
      ]);
      expect(await world.statusOf(1)).to.equal(200);
      expect(await world.nicsOf(1)).to.have.length(2);
    });

    it('break connections once, and nobody has that to heal', async () => {
      await start(1, 2);
      const [socket, other] = await Promise.all(
        [1, 2].map(async (node) => {
          const [host, port] = world.daemons.endpoint(node).split(':');
          const open = connect(Number(port), host).on('error', () => undefined);
          await once(open, 'connect');
          return open;
        }),
      );
      const closed = once(socket!, 'close');
      await add(only(1), { kind: 'drop' });
      await closed;
      expect(other!.destroyed).to.equal(false);
      other!.destroy();
      expect(await world.statusOf(1)).to.equal(200);
      expect(await heal(ALL)).to.deep.equal([]);
    });

    it('are healed by kind and by node, and told by what they were', async () => {
      await start(1, 2, 3, 4);
      await add([{ from: 1, to: 2 }, ...only(4)], ERROR);
      await add(only(3), { kind: 'error', status: 500 });
      await add(only(3), { kind: 'address' });
      expect(await heal(ALL, 'hang')).to.deep.equal([]);
      expect(await heal(only(3), 'address')).to.deep.equal([
        { fault: { kind: 'address' }, nodes: only(3) },
      ]);
      expect(await world.statusOf(3)).to.equal(500);
      expect(await heal(ALL, 'error')).to.deep.equal([
        { fault: ERROR, nodes: [{ from: 1, to: 2 }, ...only(4)] },
        { fault: { kind: 'error', status: 500 }, nodes: only(3) },
      ]);
      for (const node of [1, 2, 3, 4]) expect(await world.statusOf(node)).to.equal(200);
      expect(await heal(ALL)).to.deep.equal([]);
    });

    it('are told of nodes that are not there, too', async () => {
      await add(only(7), ERROR);
      expect(await heal(ALL)).to.deep.equal([{ fault: ERROR, nodes: only(7) }]);
    });
  });

  describe('and their NICs', () => {
    const names = async (node: number) =>
      (await world.nicsOf(node)).map(({ interfaceName }) => interfaceName);

    it('may be missing', async () => {
      await add(only(2), { kind: 'missing-nic', interface: 'eth1' });
      await start(1, 2);
      await add(only(1), { kind: 'missing-nic', interface: 'eth2' });
      expect([await names(1), await names(2)]).to.deep.equal([['eth1'], ['eth2']]);
      expect((await world.nicsOf(2))[0]?.pciAddress).to.equal('0000:00:05.0');
      await add(only(1), { kind: 'missing-nic', interface: 'eth1' });
      expect(await names(1)).to.deep.equal([]);
      await heal(ALL);
      expect(await names(1)).to.deep.equal(['eth1', 'eth2']);
    });

    it('may be one too many, in a network of its own', async () => {
      await start(3);
      await add(only(3), { kind: 'extra-nic', interface: 'eth7' });
      expect(await names(3)).to.deep.equal(['eth1', 'eth2', 'eth7']);
      expect((await world.nicsOf(3))[2]).to.include({
        netAddress: '10.99.0.0/16',
        hostIP: '10.99.0.3',
        pciAddress: '0000:00:06.0',
      });
    });

    it('may have other addresses, in the same network, until that is healed', async () => {
      await start(3);
      const addresses = async () => (await world.nicsOf(3)).map(({ hostIP }) => hostIP);
      await add(only(3), { kind: 'address' });
      expect(await addresses()).to.deep.equal(['10.1.128.3', '10.2.128.3']);
      await heal(only(3), 'address');
      expect(await addresses()).to.deep.equal(['10.1.0.3', '10.2.0.3']);
    });
  });

  describe('whose start is slow', () => {
    beforeEach(() => add(ALL, { kind: 'slow-start', delayMs: 4000 }));

    it('refuse first, and hold up nobody', async () => {
      await start(1, 2);
      expect(world.clock.sleeps).to.deep.equal([4000, 4000]);
      expect(await world.statusOf(1)).to.equal(REFUSED);
      world.clock.wake(1);
      await world.becomes(1, 200);
      expect(await world.statusOf(2)).to.equal(REFUSED);
    });

    it('have their other fault once they are up, also one that came meanwhile', async () => {
      await add(only(1), ERROR);
      await start(1, 2);
      await add(only(2), { kind: 'error', status: 500 });
      expect([await world.statusOf(1), await world.statusOf(2)]).to.deep.equal([REFUSED, REFUSED]);
      world.clock.wake(1);
      world.clock.wake(2);
      await world.becomes(1, 503);
      await world.becomes(2, 500);
    });

    it('are not up sooner because a fault is healed', async () => {
      await add(only(1), ERROR);
      await start(1);
      await heal(only(1), 'error');
      expect(await world.statusOf(1)).to.equal(REFUSED);
      world.clock.wake(1);
      await world.becomes(1, 200);
    });

    it('begin anew when their node goes and comes again meanwhile', async () => {
      await start(1);
      await world.daemons.end(1, NEVER);
      await start(1, 2);
      world.clock.wake(1); // of the start that came to nothing
      world.clock.wake(3);
      await world.becomes(2, 200);
      expect(await world.statusOf(1)).to.equal(REFUSED);
      world.clock.wake(2);
      await world.becomes(1, 200);
    });
  });

  describe('that are restarted', () => {
    it('refuse for the time, and are back with their faults', async () => {
      await start(1, 2);
      await add(only(1), ERROR);
      const before = realClock.now();
      const restarted = world.daemons.restart(ALL, 300, NEVER);
      await world.becomes(1, REFUSED);
      await restarted;
      expect(realClock.now() - before).to.be.at.least(299);
      expect([await world.statusOf(1), await world.statusOf(2)]).to.deep.equal([503, 200]);
    });

    it('are down for longer where their start is slow', async () => {
      await start(1, 2);
      await add(only(1), { kind: 'slow-start', delayMs: 1500 });
      const restarted = world.daemons.restart(ALL, 0, NEVER);
      await world.becomes(1, REFUSED);
      expect(await world.statusOf(2)).to.equal(200);
      await restarted;
      expect(await world.statusOf(1)).to.equal(200);
    });

    it('may be none', async () => {
      await world.daemons.restart(ALL, 0, NEVER);
    });
  });
});
