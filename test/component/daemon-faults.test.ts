import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { DAEMON_PATHS } from '../../src/stubs/daemon/contract.ts';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { FaultyFleet } from '../helpers/faulty-fleet.ts';
import { nic } from '../helpers/test-fleet.ts';

const L3 = { name: 'net', routes: [{ net: '192.168.0.0/26', via: '10.1.0.2', iface: 'eth1' }] };
const POD = { pod: 'p', namespace: 'ns', def: 'net', masters: ['eth1'] };

describe('a daemon with the fault', () => {
  let fleet: FaultyFleet;
  beforeEach(async () => {
    fleet = await FaultyFleet.start();
  });
  afterEach(() => fleet.stop());

  describe('latency', () => {
    it('lets a call wait, and then do its work', async () => {
      await fleet.fault({ kind: 'latency', delayMs: 120, spread: 'fixed' });
      expect((await fleet.test.call(1, '/addl3', L3)).body).to.deep.equal({
        success: true,
        msg: '',
      });
      const { durationMs, status, fault, detail } = await fleet.test.record(1);
      expect(durationMs).to.be.at.least(119);
      expect({ status, fault }).to.deep.equal({ status: 200, fault: 'latency' });
      expect(detail).to.include({ kind: 'addl3', routes: 1 });
    });

    it('does nothing for a caller who gives up', async () => {
      await fleet.fault({ kind: 'latency', delayMs: 100, spread: 'fixed' });
      const socket = await fleet.dial(1);
      socket.write(
        'POST /deletel3 HTTP/1.1\r\nHost: x\r\nContent-Length: 14\r\n\r\n{"name":"net"}',
      );
      await aLittleLater(20);
      socket.destroy();
      expect(await fleet.test.record(1)).to.include({ status: 0, fault: 'latency', detail: null });
      await aLittleLater(120);
      expect(fleet.test.log.last).to.equal(1);
    });

    it('when healed lets those wait on that wait', async () => {
      await fleet.fault({ kind: 'latency', delayMs: 150, spread: 'fixed' });
      const waiting = fleet.statusOf('/interface');
      await aLittleLater(30);
      await fleet.heal();
      expect(await fleet.statusOf('/healthz')).to.equal(200);
      expect((await fleet.test.record(1)).path).to.equal('/healthz');
      expect(await waiting).to.equal(200);
    });

    it('tells by its version which table is the older one, though its call ends last', async () => {
      await fleet.fault({ kind: 'latency', delayMs: 150, spread: 'fixed', paths: ['/healthz'] });
      const body = JSON.stringify({ ...L3, name: 'first' });
      const socket = await fleet.dial(1);
      // The answer to the second call has to wait for that to the first one.
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      socket.write(
        `POST /addl3 HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await eventually('the first change', () => fleet.test.fleet.state('sim-1')?.tables['first']);
      await fleet.test.call(1, '/addl3', { ...L3, name: 'second' });
      await fleet.test.record(3);
      socket.destroy();
      const versions = (await fleet.test.records()).flatMap(({ detail }) =>
        detail?.kind === 'addl3' ? [[detail.network, detail.version]] : [],
      );
      expect(versions).to.deep.equal([
        ['second', 2],
        ['first', 1],
      ]);
    });
  });

  describe('hang', () => {
    const join = { hifs: [], junk: 'x'.repeat(3_000_000) };

    it('answers nothing, and keeps the connection until the caller gives up', async () => {
      await fleet.fault({ kind: 'hang' });
      const socket = await fleet.dial(1);
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await aLittleLater(100);
      expect(socket.destroyed).to.equal(false);
      expect(fleet.test.log.last).to.equal(0);
      socket.destroy();
      expect(await fleet.test.record(1)).to.include({ path: '/healthz', status: 0, fault: 'hang' });
    });

    it('notices also those who give up with a large body to send', async () => {
      await fleet.fault({ kind: 'hang' });
      const stop = new AbortController();
      const call = fetch(`${fleet.test.loopback.url(1)}/join`, {
        method: 'POST',
        body: JSON.stringify(join),
        signal: stop.signal,
      }).catch((error: unknown) => error);
      await aLittleLater();
      stop.abort();
      await call;
      expect(await fleet.test.record(1)).to.include({ path: '/join', status: 0, fault: 'hang' });
    });

    it('when healed breaks off the calls that hang, and no other connection', async () => {
      await fleet.fault({ kind: 'hang', paths: ['/join'] });
      const hanging = fleet.test.call(1, '/join', join).catch(() => 'broken');
      const idle = await fleet.dial(1);
      await aLittleLater();
      expect(await fleet.statusOf('/interface')).to.equal(200);
      await fleet.heal();
      expect(await hanging).to.equal('broken');
      expect(await fleet.test.record(2)).to.include({ path: '/join', status: 0, fault: 'hang' });
      expect(idle.destroyed).to.equal(false);
      idle.destroy();
      expect(await fleet.statusOf('/join', join)).to.equal(200);
    });

    it('breaks them off also when another fault takes its place', async () => {
      await fleet.fault({ kind: 'hang' });
      const hanging = fleet.trouble();
      await aLittleLater();
      await fleet.fault({ kind: 'error', status: 500 });
      expect(await hanging)
        .to.be.a('string')
        .that.does.not.include('answered');
      expect(await fleet.statusOf('/interface')).to.equal(500);
    });
  });

  describe('refuse', () => {
    it('lets nothing listen, and breaks what is connected, until it is healed', async () => {
      const socket = await fleet.dial(1);
      const closed = once(socket, 'close');
      await fleet.fault({ kind: 'refuse' });
      await closed;
      expect(await fleet.trouble()).to.equal('ECONNREFUSED');
      expect((await fleet.test.call(2, '/interface')).status).to.equal(200);
      await fleet.heal();
      expect(await fleet.statusOf('/interface')).to.equal(200);
      expect((await fleet.test.records()).map(({ fault }) => fault)).to.deep.equal([
        undefined,
        undefined,
      ]);
    });

    it('keeps the address from other nodes', async () => {
      await fleet.fault({ kind: 'refuse' });
      const thief = { ...fleet.test.loopback.node(1), name: 'thief' };
      expect((await fleet.api.send('PUT', '/nodes', { nodes: [thief] })).status).to.equal(409);
    });

    it('gives way to another fault, which then listens', async () => {
      await fleet.fault({ kind: 'refuse' });
      await fleet.fault({ kind: 'refuse' });
      await fleet.fault({ kind: 'error', status: 503 });
      expect(await fleet.statusOf('/interface')).to.equal(503);
    });

    it('stays when another program has the address meanwhile, which is told', async () => {
      await fleet.fault({ kind: 'refuse' }, 'sim-1', 'sim-2');
      const address = fleet.test.loopback.address(1);
      const other = createServer().listen({ host: address, port: fleet.test.loopback.port });
      await once(other, 'listening');
      const { status, body } = await fleet.fault(null, 'sim-1', 'sim-2');
      expect(status).to.equal(409);
      expect(body)
        .to.have.nested.property('failed[0]')
        .that.includes({ name: 'sim-1', address, code: 'EADDRINUSE' });
      expect(body).to.have.property('failed').with.length(1);
      expect(fleet.test.fleet.state('sim-1')?.fault).to.deep.equal({ kind: 'refuse' });
      expect((await fleet.test.call(2, '/interface')).status).to.equal(200);
      other.close();
      await once(other, 'close');
      expect((await fleet.heal()).status).to.equal(200);
      expect(await fleet.statusOf('/interface')).to.equal(200);
    });
  });

  it('reset resets the connection once the head has come', async () => {
    await fleet.fault({ kind: 'reset' });
    expect(await fleet.trouble()).to.equal('ECONNRESET');
    expect(await fleet.test.record(1)).to.include({
      path: '/interface',
      status: 0,
      fault: 'reset',
    });
    await fleet.heal();
    expect(await fleet.statusOf('/interface')).to.equal(200);
  });

  it('error answers with its status, usually 500, and does nothing', async () => {
    await fleet.api.send('PUT', '/faults', { names: ['sim-1'], fault: { kind: 'error' } });
    for (const path of DAEMON_PATHS) expect(await fleet.statusOf(path, {})).to.equal(500);
    await fleet.fault({ kind: 'error', status: 429 });
    expect(await fleet.statusOf('/addl3', L3)).to.equal(429);
    const call = await fleet.test.record(DAEMON_PATHS.length + 1);
    expect(call).to.include({ status: 429, fault: 'error', detail: null });
    expect(fleet.test.fleet.state('sim-1')?.tables).to.deep.equal({});
    await fleet.heal();
    expect(await fleet.statusOf('/addl3', L3)).to.equal(200);
  });

  it('malformed answers what is no JSON, and says that it is', async () => {
    await fleet.fault({ kind: 'malformed' });
    const response = await fetch(`${fleet.test.loopback.url(1)}/addl3`, {
      method: 'POST',
      body: JSON.stringify(L3),
    });
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.include('application/json');
    const text = await response.text();
    expect(() => JSON.parse(text) as unknown).to.throw(SyntaxError);
    const call = await fleet.test.record(1);
    expect(call).to.include({ status: 200, fault: 'malformed', detail: null });
    expect(call.replyBytes).to.equal(text.length);
    expect(fleet.test.fleet.state('sim-1')?.tables).to.deep.equal({});
    await fleet.heal();
    expect(await fleet.statusOf('/addl3', L3)).to.equal(200);
  });

  it('empty answers with nothing where something is asked for, and does the rest', async () => {
    const pool = fleet.cluster.put({ host: 'sim-1', nic: 'eth1', podCIDR: '192.168.0.0/26' });
    await fleet.fault({ kind: 'empty' });
    const ask = async (path: string, body?: unknown) => (await fleet.test.call(1, path, body)).body;
    expect(await ask('/interface')).to.deep.equal([]);
    expect(await ask('/select', POD)).to.deep.equal({ deviceIDs: [], masters: [] });
    expect(await ask('/allocate', POD)).to.equal(null);
    expect(fleet.cluster.rows(pool)).to.deep.equal([]);
    expect(await ask('/addl3', L3)).to.deep.equal({ success: true, msg: '' });
    expect((await fleet.test.records()).map(({ fault }) => fault)).to.deep.equal([
      'empty',
      'empty',
      'empty',
      undefined,
    ]);
    await fleet.fault({ kind: 'empty', paths: ['/interface'] });
    expect(await ask('/select', POD)).to.deep.include({ masters: ['eth1'] });
    await fleet.heal();
    expect(await ask('/interface')).to.deep.equal([nic('eth1', 1)]);
    expect(await ask('/allocate', POD)).to.have.length(1);
  });
});
