import { once } from 'node:events';
import { createServer, connect } from 'node:net';
import { expect } from 'chai';
import { AllocatingFleet } from '../helpers/allocating-fleet.ts';
import { ControlApi } from '../helpers/control-api.ts';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { nic } from '../helpers/test-fleet.ts';

const L3 = { name: 'net', routes: [{ net: '192.168.0.0/26', via: '10.1.0.2', iface: 'eth1' }] };

describe('a daemon whose process begins anew', () => {
  let fleet: AllocatingFleet;
  let api: ControlApi;
  beforeEach(async () => {
    fleet = await AllocatingFleet.start();
    api = await ControlApi.start(fleet.test);
  });
  afterEach(async () => {
    await api.stop();
    await fleet.stop();
  });

  const restart = (downMs?: number, names: readonly string[] = ['sim-1']) =>
    api.send('POST', '/restart', { names, downMs });
  const restarted = (n: number) => ({ status: 200, body: { restarted: n } });
  const dial = (): Promise<string> => {
    const { loopback } = fleet.test;
    const socket = connect(loopback.port, loopback.address(1));
    return once(socket, 'connect').then(
      () => {
        socket.destroy();
        return 'connected';
      },
      (error: unknown) => String((error as { code?: unknown }).code),
    );
  };
  const isRefused = (): Promise<boolean> => dial().then((answer) => answer === 'ECONNREFUSED');
  const untilRefused = async (): Promise<void> => {
    while (!(await isRefused())) await aLittleLater(2);
  };

  it('has kept the routes of its node and its NICs', async () => {
    await fleet.test.call(1, '/addl3', L3);
    const interfaces = [nic('eth1', 1), nic('eth2', 1)];
    fleet.test.fleet.setInterfaces('sim-1', interfaces);
    const before = fleet.test.fleet.state('sim-1');
    expect(await restart()).to.deep.equal(restarted(1));
    expect(fleet.test.fleet.state('sim-1')).to.deep.equal(before);
    expect((await fleet.test.call(1, '/interface')).body).to.deep.equal(interfaces);
  });

  it('goes on with the versions of its tables, as does one that is put again', async () => {
    const versions = async (): Promise<readonly unknown[]> =>
      (await fleet.test.records()).map(({ detail }) => detail?.kind === 'addl3' && detail.version);
    await fleet.test.call(1, '/addl3', L3);
    await restart();
    await fleet.test.call(1, '/addl3', L3);
    await fleet.test.put(1);
    await fleet.test.call(1, '/addl3', L3);
    expect(await versions()).to.deep.equal([1, 2, 3]);
  });

  it('has forgotten who gave addresses back, and its counts', async () => {
    fleet.pool('eth1');
    await fleet.ask('/allocate', 'a');
    await fleet.ask('/deallocate', 'a');
    await restart();
    const { body } = await fleet.test.call(1, '/metrics');
    expect(String(body)).not.to.include('path="/allocate"');
    expect(await fleet.addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.1' });
  });

  it('has broken off the calls that were under way, and what they asked for', async () => {
    const pool = fleet.pool('eth1');
    fleet.cluster.listTroubles.push(() => undefined);
    const call = fleet.ask('/allocate', 'a').catch(() => 'broken');
    await eventually('the list of pools', () => fleet.cluster.lists.length === 1);
    await restart();
    expect(await call).to.equal('broken');
    const record = await fleet.test.record(1);
    expect(record).to.include({ path: '/allocate', status: 0 });
    expect(record.detail)
      .to.have.property('problem')
      .that.includes('the daemon of sim-1 has ended');
    expect(fleet.cluster.rows(pool)).to.deep.equal([]);
  });

  it('refuses for as long as it is down, and is back before the reply', async () => {
    const began = performance.now();
    const reply = restart(200);
    await untilRefused();
    expect((await fleet.test.call(2, '/interface')).status).to.equal(200);
    expect(await reply).to.deep.equal(restarted(1));
    expect(performance.now() - began).to.be.at.least(199);
    expect(await dial()).to.equal('connected');
  });

  it('holds up no other order while it is down', async () => {
    const reply = restart(300);
    await untilRefused();
    expect(
      (await api.send('PUT', '/nodes', { nodes: [fleet.test.loopback.node(3)] })).status,
    ).to.equal(200);
    expect(await isRefused()).to.equal(true);
    await reply;
  });

  it('still has its fault', async () => {
    const fault = { kind: 'error', status: 503 };
    await api.send('PUT', '/faults', { names: ['sim-1'], fault });
    await restart(20);
    expect(fleet.test.fleet.state('sim-1')?.fault).to.deep.equal(fault);
    expect((await fleet.test.call(1, '/interface')).status).to.equal(503);
  });

  it('still refuses when that was its fault, until it is healed', async () => {
    const put = (fault: object | null) => api.send('PUT', '/faults', { names: ['sim-1'], fault });
    await put({ kind: 'refuse' });
    for (const downMs of [0, 20]) {
      expect(await restart(downMs)).to.deep.equal(restarted(1));
      expect(await isRefused()).to.equal(true);
    }
    await put(null);
    expect(await dial()).to.equal('connected');
  });

  it('is not back sooner because a fault is healed', async () => {
    await api.send('PUT', '/faults', { names: ['sim-1'], fault: { kind: 'refuse' } });
    const reply = restart(250);
    await aLittleLater(30);
    await api.send('PUT', '/faults', { names: ['sim-1'], fault: null });
    expect(await isRefused()).to.equal(true);
    await reply;
    expect(await dial()).to.equal('connected');
  });

  it('is down until the last of two restarts is over', async () => {
    const first = restart(100);
    await untilRefused();
    const second = restart(400);
    expect(await first).to.deep.equal(restarted(0));
    expect(await isRefused()).to.equal(true);
    expect(await second).to.deep.equal(restarted(1));
    expect(await dial()).to.equal('connected');
  });

  it('is there at once when its node is put again, and gone when it is deleted', async () => {
    for (const [method, body, answer] of [
      ['PUT', { nodes: [fleet.test.loopback.node(1)] }, 'connected'],
      ['DELETE', { names: ['sim-1'] }, 'ECONNREFUSED'],
    ] as const) {
      const reply = restart(150);
      await untilRefused();
      await api.send(method, '/nodes', body);
      expect(await dial()).to.equal(answer);
      expect(await reply).to.deep.equal(restarted(0));
      expect(await dial()).to.equal(answer);
    }
  });

  it('cannot come back when another program has its address meanwhile, which is told', async () => {
    const reply = restart(200);
    await untilRefused();
    const { loopback } = fleet.test;
    const other = createServer().listen({ host: loopback.address(1), port: loopback.port });
    await once(other, 'listening');
    const { status, body } = await reply;
    other.close();
    expect(status).to.equal(409);
    expect(body).to.have.nested.property('failed[0]').that.includes({ name: 'sim-1' });
    await once(other, 'close');
    expect(await restart()).to.deep.equal(restarted(1));
    expect(await dial()).to.equal('connected');
  });

  it('is none of those that are not there', async () => {
    expect(await restart(0, ['sim-1', 'sim-9'])).to.deep.equal({
      status: 404,
      body: { error: 'there is no daemon for sim-9' },
    });
    expect((await restart(-1)).status).to.equal(400);
  });

  it('does not keep a fleet from ending', async () => {
    const reply = restart(60_000);
    await untilRefused();
    await fleet.test.close();
    expect(await reply).to.deep.equal(restarted(0));
  });
});
