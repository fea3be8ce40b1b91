import { once } from 'node:events';
import { expect } from 'chai';
import type { DaemonFault } from '../../src/stubs/fleet/contract.ts';
import { eventually } from '../helpers/eventually.ts';
import { FaultyFleet } from '../helpers/faulty-fleet.ts';

const POD = { pod: 'p', namespace: 'ns', def: 'net', masters: ['eth1'] };

describe('a fault of a daemon', () => {
  let fleet: FaultyFleet;
  beforeEach(async () => {
    fleet = await FaultyFleet.start();
  });
  afterEach(() => fleet.stop());

  it('is shown, and gone when it is healed', async () => {
    const fault: DaemonFault = { kind: 'error', status: 503, paths: ['/join'] };
    expect(await fleet.fault(fault, 'sim-1', 'sim-2', 'sim-2')).to.deep.equal({
      status: 200,
      body: { changed: 2 },
    });
    expect((await fleet.api.send('GET', '/nodes/sim-2')).body).to.deep.include({ fault });
    await fleet.heal();
    expect((await fleet.api.send('GET', '/nodes/sim-1')).body).to.deep.include({ fault: null });
    expect((await fleet.api.send('GET', '/nodes/sim-2')).body).to.deep.include({ fault });
  });

  it('is of its daemon only', async () => {
    await fleet.fault({ kind: 'error', status: 500 });
    expect((await fleet.test.call(2, '/interface')).status).to.equal(200);
    expect((await fleet.test.record(1)).fault).to.equal(undefined);
  });

  it('is for nobody when one of them is not there', async () => {
    expect(await fleet.fault({ kind: 'hang' }, 'sim-1', 'sim-8', 'sim-9')).to.deep.equal({
      status: 404,
      body: { error: 'there is no daemon for sim-8, sim-9' },
    });
    expect(fleet.test.fleet.state('sim-1')?.fault).to.equal(null);
  });

  it('may be limited to paths, also where they are written with a slash behind', async () => {
    await fleet.fault({ kind: 'error', status: 500, paths: ['/join', '/greet'] });
    expect(await fleet.statusOf('/greet', '""')).to.equal(500);
    expect(await fleet.statusOf('/greet/', '""')).to.equal(500);
    expect(await fleet.statusOf('/interface')).to.equal(200);
    expect((await fleet.test.records()).map(({ fault }) => fault)).to.deep.equal([
      'error',
      'error',
      undefined,
    ]);
  });

  for (const [title, fault, problem] of [
    ['a kind that nobody knows', { kind: 'tired' }, /^fault\.kind: /],
    [
      'a path that no daemon answers',
      { kind: 'hang', paths: ['/jion'] },
      /^fault\.paths\[0\]: exp/,
    ],
    ['no path', { kind: 'hang', paths: [] }, /^fault\.paths: /],
    ['paths, when it refuses', { kind: 'refuse', paths: ['/join'] }, /^fault: Unrecognized key/],
    [
      'a path that has nothing to tell',
      { kind: 'empty', paths: ['/join'] },
      /expected one of \/interface, \/select, \/allocate$/,
    ],
    ['a status of success', { kind: 'error', status: 200 }, /^fault\.status: /],
    ['no delay', { kind: 'latency', spread: 'fixed' }, /^fault\.delayMs: /],
    ['a delay below zero', { kind: 'latency', delayMs: -1, spread: 'fixed' }, /^fault\.delayMs: /],
  ] as const)
    it(`cannot have ${title}`, async () => {
      const { status, body } = await fleet.api.send('PUT', '/faults', { names: ['sim-1'], fault });
      expect(status).to.equal(400);
      expect(body).to.have.property('error').that.match(problem);
      expect(fleet.test.fleet.state('sim-1')?.fault).to.equal(null);
    });

  it('is gone when the node is put again, whatever it was', async () => {
    for (const fault of [{ kind: 'refuse' }, { kind: 'hang' }] as const) {
      await fleet.fault(fault);
      await fleet.api.send('PUT', '/nodes', { nodes: [fleet.test.loopback.node(1)] });
      expect(fleet.test.fleet.state('sim-1')?.fault).to.equal(null);
      expect(await fleet.statusOf('/interface')).to.equal(200);
    }
  });

  it('is gone with its node, and not there when it comes back', async () => {
    for (const fault of [{ kind: 'refuse' }, { kind: 'hang' }] as const) {
      await fleet.fault(fault);
      await fleet.api.send('DELETE', '/nodes', { names: ['sim-1'] });
      expect((await fleet.heal()).status).to.equal(404);
      await fleet.api.send('PUT', '/nodes', { nodes: [fleet.test.loopback.node(1)] });
      expect(await fleet.statusOf('/interface')).to.equal(200);
    }
  });

  describe('that breaks open connections once', () => {
    const drop = (...names: readonly string[]) => fleet.api.send('POST', '/drop', { names });

    it('breaks those of its daemons, and nothing else', async () => {
      const sockets = [await fleet.dial(1), await fleet.dial(1)];
      const other = await fleet.dial(2);
      const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
      expect(await drop('sim-1')).to.deep.equal({ status: 200, body: { dropped: 1 } });
      await closed;
      expect(await fleet.statusOf('/interface')).to.equal(200);
      expect(other.destroyed).to.equal(false);
      other.destroy();
      expect((await drop('sim-1', 'sim-9')).status).to.equal(404);
    });

    it('does not undo what a call has asked for', async () => {
      const pool = fleet.cluster.put({ host: 'sim-1', nic: 'eth1', podCIDR: '192.168.0.0/26' });
      let answer: () => void = () => undefined;
      fleet.cluster.listTroubles.push(({ response, carryOut }) => {
        answer = () => response.end(JSON.stringify(carryOut().body));
      });
      const call = fleet.test.call(1, '/allocate', POD).catch(() => 'broken');
      await eventually('the list of pools', () => fleet.cluster.lists.length === 1);
      await drop('sim-1');
      expect(await call).to.equal('broken');
      answer();
      expect(await fleet.test.record(1)).to.include({ path: '/allocate', status: 0 });
      expect(fleet.cluster.rows(pool)).to.have.length(1);
    });
  });
});
