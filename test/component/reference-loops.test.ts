import { expect } from 'chai';
import { realClock } from '../../src/sim/host/real-clock.ts';
import type { Behaviour } from '../../src/stubs/daemon/faults.ts';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { ReferenceWorld } from '../helpers/reference-world.ts';

const WITHIN_MS = 1500;
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('the loops of the reference controller', () => {
  let world: ReferenceWorld;
  beforeEach(async () => {
    world = await ReferenceWorld.start();
  });
  afterEach(() => world.stop());

  const within = async (ms: number, work: () => Promise<unknown>): Promise<void> => {
    const began = realClock.now();
    await work();
    expect(realClock.now() - began).to.be.lessThan(ms);
  };
  /** The daemon of a node does not answer calls to a path, until it is let go on with them. */
  const hang = (n: number, path: string) => {
    const daemon = world.fleet.fleet.daemon(`sim-${n}`)!;
    const before: Behaviour = daemon.behaviour;
    const waiting: (() => void)[] = [];
    const intercept: Behaviour['intercept'] = ({ request }, proceed) => {
      if (request.path === path) waiting.push(proceed);
      else proceed();
    };
    daemon.behaviour = { name: 'hangs', intercept };
    return {
      calls: () => waiting.length,
      goOn: () => {
        daemon.behaviour = before;
        for (const proceed of waiting.splice(0)) proceed();
      },
    };
  };

  it('serve the others while a daemon does not say its interfaces', async () => {
    await world.addNodes([1, 2, 3]);
    const hanging = hang(2, '/interface');
    await world.startController();
    await within(WITHIN_MS, () => world.served([1, 3]));
    await world.addNodes([4]);
    await within(WITHIN_MS, () => world.served([1, 3, 4]));
    expect(hanging.calls()).to.equal(1);
    hanging.goOn();
    await within(WITHIN_MS, () => world.served([1, 2, 3, 4]));
    expect(world.said).to.deep.equal([]);
  });

  it('count what waits for its turn, and what has been done', async () => {
    world.putNetwork('net', { hostBlock: 6 });
    await world.addNodes(range(1, 20));
    const hanging = range(1, 20).map((n) => hang(n, '/interface'));
    await world.startController();
    await eventually('more than can be asked at once', () => world.queues.discovery.depth === 4);
    for (const { goOn } of hanging) goOn();
    await world.served(range(1, 20));
    const { discovery, pools } = world.queues;
    expect([discovery.depth, discovery.adds, discovery.succeeded]).to.deep.equal([0, 20, 20]);
    expect([pools.depth, pools.failed]).to.deep.equal([0, 0]);
    expect(pools.succeeded).to.be.at.least(20);
  });

  it('serve the others while more daemons hang than are asked at once', async () => {
    await world.addNodes(range(1, 20));
    const hanging = range(1, 20).map((n) => hang(n, '/interface'));
    await world.startController();
    await eventually('the questions', () => hanging.some(({ calls }) => calls() > 0));
    world.putNetwork('net', { hostBlock: 6 });
    await world.addNodes([21, 22]);
    await within(3500, () => world.served([21, 22]));
  });

  it('tell the others their routes while a daemon does not take its own', async () => {
    await world.addNodes([1, 2, 3]);
    hang(2, '/addl3');
    await world.startController();
    const told = (count: number, ...nodes: readonly number[]) =>
      eventually('the routes', () => nodes.every((n) => world.routes(n) === count));
    await within(WITHIN_MS, () => told(2, 1, 3));
    await world.addNodes([4]);
    await within(WITHIN_MS, () => told(3, 1, 3, 4));
    expect(world.routes(2)).to.equal(0);
  });

  it('tell a daemon the newest routes only, once it has taken those that it is busy with', async () => {
    await world.addNodes([1, 2]);
    const hanging = hang(2, '/addl3');
    await world.startController();
    await eventually('the call', () => hanging.calls() === 1);
    for (const n of [3, 4, 5]) {
      await world.addNodes([n]);
      await eventually('the routes of the others', () => world.routes(1) === n - 1);
    }
    expect(hanging.calls()).to.equal(1);
    hanging.goOn();
    await world.served([1, 2, 3, 4, 5]);
    await aLittleLater(400);
    const told = (await world.fleet.records()).filter(
      ({ node, path }) => node === 'sim-2' && path === '/addl3',
    );
    expect(told).to.have.length(2);
    expect(world.routes(2)).to.equal(4);
  });

  it('collect changes before daemons are told their routes', async () => {
    await world.addNodes([1]);
    await world.startController();
    await world.served([1]);
    for (const n of range(2, 9)) {
      await world.addNodes([n]);
      await aLittleLater(30);
    }
    await world.served(range(1, 9));
    const told = (await world.fleet.records()).filter(
      ({ node, path }) => node === 'sim-1' && path === '/addl3',
    );
    expect(told.length).to.be.within(2, 5);
  });

  it('give new nodes their blocks while hundreds of pools wait to be written', async () => {
    world.putNetwork('net', { hostBlock: 8 });
    await world.addNodes(range(1, 25), ['eth1', 'eth2', 'eth3', 'eth4']);
    await world.startController({ qps: 20 });
    await eventually('the blocks', () => Object.keys(world.blocks()).length === 100);
    expect(world.poolObjects().length).to.be.lessThan(50);
    await world.addNodes([26], ['eth1']);
    await within(WITHIN_MS, () =>
      eventually('its block', () => world.blocks()['sim-26 eth1'] !== undefined),
    );
    await within(WITHIN_MS, () => eventually('its routes', () => world.routes(26) === 25));
    await world.removeNodes([25]);
    await within(WITHIN_MS, () =>
      eventually('the rows of the other to go', () => !('sim-25 eth1' in world.blocks())),
    );
    expect(world.poolObjects().length).to.be.lessThan(75);
    await within(WITHIN_MS, () => world.stopController());
  });
});
