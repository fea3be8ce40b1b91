import { once } from 'node:events';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { ControlApi } from '../helpers/control-api.ts';
import { nic, TestFleet } from '../helpers/test-fleet.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

describe('the nodes of a fleet', () => {
  let test: TestFleet;
  let api: ControlApi;
  const others: Server[] = [];
  beforeEach(async () => {
    test = TestFleet.withoutCluster();
    api = await ControlApi.start(test);
  });
  afterEach(async () => {
    await api.stop();
    await test.close();
    for (const server of others.splice(0)) server.close();
  });

  const put = (...indexes: readonly number[]) =>
    api.send('PUT', '/nodes', { nodes: indexes.map((index) => test.loopback.node(index)) });
  const remove = (...names: readonly string[]) => api.send('DELETE', '/nodes', { names });

  /** Another program, as far as the fleet can tell. */
  async function occupy(address: string): Promise<void> {
    const server = createServer().listen({ host: address, port: test.loopback.port });
    await once(server, 'listening');
    others.push(server);
  }

  async function dial(index: number): Promise<Socket> {
    const socket = connect(test.loopback.port, test.loopback.address(index));
    await once(socket, 'connect');
    return socket;
  }

  it('can be called as soon as they are put', async () => {
    expect(await put(1, 2)).to.deep.equal({ status: 200, body: { added: 2, replaced: 0 } });
    expect((await test.call(2, '/interface')).body).to.deep.equal([nic('eth1', 2)]);
    expect((await api.send('GET', '/healthz')).body).to.deep.equal({
      ok: true,
      pid: process.pid,
      port: test.loopback.port,
      daemons: 2,
      lastCall: 1,
    });
  });

  it('show their interfaces and tables', async () => {
    await put(1);
    const routes = [{ net: '192.168.0.64/26', via: '10.1.0.2', iface: 'eth1' }];
    await test.call(1, '/addl3', { name: 'net', routes, force: true });
    const { status, body } = await api.send('GET', '/nodes/sim-1');
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      name: 'sim-1',
      address: test.loopback.address(1),
      port: test.loopback.port,
      interfaces: [nic('eth1', 1)],
      fault: null,
    });
    expect(body).to.have.nested.property('tables.net.count', 1);
    expect(await api.send('GET', '/nodes/sim-2')).to.deep.equal({
      status: 404,
      body: { error: 'there is no daemon for sim-2' },
    });
  });

  it('take other interfaces while they run, and keep the rest', async () => {
    await put(1);
    await test.call(1, '/addl3', { name: 'net', routes: [], force: true });
    const socket = await dial(1);
    const interfaces = [nic('eth1', 1), nic('eth2', 1)];
    const answer = await api.send('PUT', '/nodes/sim-1/interfaces', { interfaces });
    expect(answer.body).to.have.deep.property('interfaces', interfaces);
    expect((await test.call(1, '/interface')).body).to.deep.equal(interfaces);
    expect(test.fleet.state('sim-1')?.tables).to.have.keys('net');
    expect(socket.destroyed).to.equal(false);
    socket.destroy();
    expect((await api.send('PUT', '/nodes/sim-9/interfaces', { interfaces })).status).to.equal(404);
  });

  it('begin anew when they are put again, as a daemon does that restarts', async () => {
    await put(1);
    await test.call(1, '/addl3', { name: 'net', routes: [], force: true });
    const socket = await dial(1);
    const closed = once(socket, 'close');
    expect(await put(1, 2)).to.deep.equal({ status: 200, body: { added: 1, replaced: 1 } });
    await closed;
    expect(test.fleet.state('sim-1')?.tables).to.deep.equal({});
    expect((await test.call(1, '/healthz')).status).to.equal(200);
  });

  it('may move to another address, and are gone from the old one', async () => {
    await put(1);
    const moved = { ...test.loopback.node(7), name: 'sim-1' };
    expect(await api.send('PUT', '/nodes', { nodes: [moved] })).to.deep.equal({
      status: 200,
      body: { added: 0, replaced: 1 },
    });
    expect((await test.call(7, '/healthz')).body).to.deep.equal({ ok: true, name: 'sim-1' });
    expect(await dial(1).catch(String)).to.match(/ECONNREFUSED/);
  });

  it('go one by one, with their connections, while the others answer', async () => {
    await put(1, 2);
    const socket = await dial(1);
    const other = await dial(2);
    const closed = once(socket, 'close');
    expect(await remove('sim-1', 'sim-1', 'sim-9')).to.deep.equal({
      status: 200,
      body: { deleted: 1, unknown: ['sim-9'] },
    });
    await closed;
    expect(await dial(1).catch(String)).to.match(/ECONNREFUSED/);
    expect((await test.call(2, '/healthz')).status).to.equal(200);
    expect(other.destroyed).to.equal(false);
    other.destroy();
    expect((await api.send('GET', '/nodes/sim-1')).status).to.equal(404);
  });

  it('may come back to the address that they had', async () => {
    for (let i = 0; i < 3; i++) {
      await put(1);
      expect((await test.call(1, '/healthz')).status).to.equal(200);
      await remove('sim-1');
    }
  });

  it('may be two thousand', async function () {
    this.timeout(30_000);
    expect((await put(...range(2000))).body).to.deep.equal({ added: 2000, replaced: 0 });
    for (const index of [1, 777, 2000])
      expect((await test.call(index, '/healthz')).body).to.have.property('name', `sim-${index}`);
    const names = range(2000).map((index) => `sim-${index}`);
    expect((await remove(...names)).body).to.deep.equal({ deleted: 2000, unknown: [] });
    expect(await dial(777).catch(String)).to.match(/ECONNREFUSED/);
    expect(test.fleet.size).to.equal(0);
  });

  it('whose port is taken are named, with the program that has it; the others are there', async () => {
    await occupy(test.loopback.address(2));
    const { status, body } = await put(1, 2, 3);
    expect(status).to.equal(409);
    const address = test.loopback.address(2);
    const { port } = test.loopback;
    const problem = `cannot listen on ${address}:${port} for sim-2: `;
    expect(body)
      .to.have.property('error')
      .that.include(problem)
      .and.match(/\(pid \d+\) listens there$/);
    expect(body)
      .to.have.nested.property('failed[0]')
      .that.deep.includes({ name: 'sim-2', address, port, code: 'EADDRINUSE' });
    expect(body).to.have.property('failed').with.length(1);
    expect((await test.call(3, '/healthz')).status).to.equal(200);
    expect((await api.send('GET', '/nodes/sim-2')).status).to.equal(404);
  });

  for (const wildcard of ['0.0.0.0', '::'])
    it(`are told that a program has the port on all addresses: ${wildcard}`, async () => {
      await occupy(wildcard);
      const { status, body } = await put(1, 2);
      expect(status).to.equal(409);
      expect(body)
        .to.have.property('error')
        .that.match(
          new RegExp(
            `\\(pid ${process.pid}\\) listens on port ${test.loopback.port} of all addresses.* and 1 more$`,
          ),
        );
    });

  it('stay as they were when they cannot have their new address', async () => {
    await put(1);
    await occupy(test.loopback.address(5));
    const moved = { ...test.loopback.node(5), name: 'sim-1' };
    expect((await api.send('PUT', '/nodes', { nodes: [moved] })).status).to.equal(409);
    expect((await test.call(1, '/healthz')).body).to.deep.equal({ ok: true, name: 'sim-1' });
  });

  it('cannot have the address of another one', async () => {
    await put(1);
    const thief = { ...test.loopback.node(1), name: 'thief' };
    const { status, body } = await api.send('PUT', '/nodes', { nodes: [thief] });
    expect(status).to.equal(409);
    expect(body)
      .to.have.property('error')
      .that.match(/for thief: the daemon of sim-1 has it$/);
  });

  for (const [title, nodes, problem] of [
    [
      'an address beyond loopback',
      [{ name: 'a', address: '10.0.0.1', interfaces: [] }],
      /nodes\[0\]\.address: expected an address of 127/,
    ],
    ['all addresses', [{ name: 'a', address: '0.0.0.0', interfaces: [] }], /nodes\[0\]\.address/],
    [
      'half an address',
      [{ name: 'a', address: '127.0.0.256', interfaces: [] }],
      /nodes\[0\]\.address/,
    ],
    ['no name', [{ name: '', address: '127.0.0.1', interfaces: [] }], /nodes\[0\]\.name/],
    ['no interfaces', [{ name: 'a', address: '127.0.0.1' }], /nodes\[0\]\.interfaces/],
    [
      'a name twice',
      ['127.0.0.1', '127.0.0.2'].map((address) => ({ name: 'a', address, interfaces: [] })),
      /nodes: two nodes have the name a/,
    ],
    [
      'an address twice',
      ['a', 'b'].map((name) => ({ name, address: '127.0.0.1', interfaces: [] })),
      /nodes: two nodes have the address 127\.0\.0\.1/,
    ],
  ] as const)
    it(`are refused with ${title}`, async () => {
      const { status, body } = await api.send('PUT', '/nodes', { nodes });
      expect(status).to.equal(400);
      expect(body).to.have.property('error').that.match(problem);
      expect(test.fleet.size).to.equal(0);
    });

  it('cannot be put by a body that is no JSON', async () => {
    const { status, body } = await api.send('PUT', '/nodes', '{"nodes":');
    expect(status).to.equal(400);
    expect(body)
      .to.have.property('error')
      .that.match(/^the body is not JSON: /);
    expect(await api.send('PATCH', '/nodes', {})).to.deep.equal({
      status: 404,
      body: { error: 'there is no PATCH /nodes' },
    });
  });

  it('are counted for Prometheus', async () => {
    await put(1, 2);
    await test.call(1, '/interface');
    await test.call(2, '/interface');
    const { body } = await api.send('GET', '/metrics');
    expect(String(body).split('\n')).to.include.members([
      'sim_fleet_daemons 2',
      'sim_fleet_calls_total{path="/interface",status="200"} 2',
    ]);
  });
});
