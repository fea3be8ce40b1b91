import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { daemonApp } from '../../src/stubs/daemon/app.ts';
import type { UnnumberedCall } from '../../src/stubs/daemon/call.ts';
import { errorReply } from '../../src/stubs/daemon/contract.ts';
import { monotonicClock } from '../../src/stubs/monotonic-clock.ts';
import { FakeIpPools } from '../helpers/fake-ip-pools.ts';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { TestFleet } from '../helpers/test-fleet.ts';

const POD = { pod: 'p', namespace: 'ns', def: 'net', masters: ['eth1'] };
const L3 = { name: 'net', subnet: '192.168.0.0/16', routes: [], force: true };

describe('a call that is wrong', () => {
  let test: TestFleet;
  before(async () => {
    test = TestFleet.withoutCluster();
    await test.put(1);
  });
  after(() => test.close());

  /** Calls, and expects the same words in the reply and in the record. */
  async function refused(path: string, body: unknown, method?: string) {
    const seq = test.log.last + 1;
    const reply = await test.call(1, path, body, method);
    const { error } = errorReply.parse(reply.body);
    const call = await test.record(seq);
    expect(call).to.deep.include({ status: reply.status, node: 'sim-1' });
    expect(call.detail).to.deep.equal({ kind: 'refused', problem: error });
    return { status: reply.status, error, headers: reply.headers };
  }

  for (const [title, path, body, problem] of [
    ['no JSON', '/join', '{"hifs":[', /^the body is not JSON: .+/],
    ['garbage', '/addl3', '\u0000\u0001\u0002', /^the body is not JSON: .+/],
    ['nothing but space', '/greet', '  ', /^the body is not JSON: .+/],
    ['an object without its key', '/join', {}, /^hifs: expected array, received undefined$/],
    ['another type', '/join', [], /^the body: expected object, received array$/],
    ['a string for a list', '/addl3', { ...L3, routes: 'x' }, /^routes: expected array, received/],
    [
      'a route without a gateway',
      '/addl3',
      {
        ...L3,
        routes: [
          { net: 'a', via: 'b', iface: 'c' },
          { net: 'a', iface: 'c' },
        ],
      },
      /^routes\[1\]\.via: expected string, received undefined$/,
    ],
    [
      'more than one mistake',
      '/addl3',
      { name: 1, subnet: 2, routes: 3, force: 4 },
      /^name: .+; subnet: .+; routes: .+ and 1 more$/,
    ],
    ['no pod', '/allocate', { ...POD, pod: '' }, /^pod: /],
    [
      'a network that no label can name',
      '/allocate',
      { ...POD, def: 'a,b=c' },
      /^def: expected letters/,
    ],
    [
      'a host that no label can name',
      '/deallocate',
      { ...POD, host: 'x!' },
      /^host: expected letters/,
    ],
    ['a name as long as a book', '/allocate', { ...POD, pod: 'p'.repeat(10_000) }, /^pod: /],
    ['a fraction of an interface', '/select', { ...POD, args: { nics: 1.5 } }, /^args\.nics: /],
    ['null', '/greet', 'null', /^the body: expected string, received null$/],
  ] as const)
    it(`with ${title} is told what is wrong: ${path}`, async () => {
      const { status, error } = await refused(path, body);
      expect(status).to.equal(400);
      expect(error).to.match(problem);
    });

  it('without a body is told so', async () => {
    expect(await refused('/join', undefined, 'POST')).to.include({
      status: 400,
      error: 'the body is empty, expected JSON',
    });
  });

  it('to a path that does not exist is told which ones do', async () => {
    const { status, error } = await refused('/interfaces', undefined);
    expect(status).to.equal(404);
    expect(error).to.match(/^there is no \/interfaces, only \/interface, \/join, .+\/metrics$/);
    expect((await refused('/INTERFACE', undefined)).status).to.equal(404);
  });

  it('by another method is told which one is right', async () => {
    const { status, error, headers } = await refused('/join', undefined, 'GET');
    expect({ status, error }).to.deep.equal({ status: 405, error: '/join takes POST, not GET' });
    expect(headers.get('allow')).to.equal('POST');
    expect((await refused('/healthz', {}, 'DELETE')).status).to.equal(405);
  });

  it('with more than 16 MB is refused, and only that', async () => {
    const huge = JSON.stringify({ hifs: [], junk: 'x'.repeat(17 * 2 ** 20) });
    const { status, error } = await refused('/join', huge);
    expect({ status, error }).to.deep.equal({
      status: 413,
      error: 'the body is larger than 16 MB',
    });
    expect(
      (await test.call(1, '/join', { hifs: [], junk: 'x'.repeat(15 * 2 ** 20) })).status,
    ).to.equal(200);
  });

  it('in an encoding that nobody knows is refused', async () => {
    const response = await fetch(`${test.loopback.url(1)}/join`, {
      method: 'POST',
      headers: { 'content-encoding': 'rot13' },
      body: '{}',
    });
    expect(response.status).to.equal(415);
  });

  it('is not taken for another one because of its content type', async () => {
    const response = await fetch(`${test.loopback.url(1)}/join`, {
      method: 'POST',
      headers: { 'content-type': 'text/html' },
      body: '{"hifs":[]}',
    });
    expect(response.status).to.equal(200);
  });

  it('to an address of nobody is told so', async () => {
    const calls: UnnumberedCall[] = [];
    const record = (call: UnnumberedCall): void => void calls.push(call);
    const app = daemonApp({ find: () => undefined, record, clock: monotonicClock });
    const server = createServer(app).listen({ host: test.loopback.address(9), port: 0 });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://${test.loopback.address(9)}:${port}/interface`);
    expect(response.status).to.equal(421);
    expect(await response.json()).to.deep.equal({
      error: `no daemon has the address ${test.loopback.address(9)}`,
    });
    server.close();
    server.closeAllConnections();
    expect(calls[0]).to.deep.include({ node: '', path: '/interface', status: 421 });
  });

  it('does no harm to the calls after it', async () => {
    const socket = connect(test.loopback.port, test.loopback.address(1));
    socket.write('this is no HTTP\r\n\r\n');
    await once(socket.resume(), 'close');
    expect((await test.call(1, '/interface')).status).to.equal(200);
  });
});

describe('a connection that breaks', () => {
  let test: TestFleet;
  let cluster: FakeIpPools;
  beforeEach(async () => {
    cluster = await FakeIpPools.start();
    test = await TestFleet.withCluster(cluster.url);
    await test.put(1);
  });
  afterEach(async () => {
    await test.close();
    await cluster.stop();
  });

  async function send(head: string, body = ''): Promise<Socket> {
    const socket = connect(test.loopback.port, test.loopback.address(1));
    socket.on('error', () => undefined);
    socket.write(`${head} HTTP/1.1\r\nHost: x\r\n${body}`);
    await aLittleLater();
    return socket;
  }

  it('before the body is complete is recorded with status 0', async () => {
    const socket = await send('POST /join', 'Content-Length: 100\r\n\r\n{"hifs":');
    socket.resetAndDestroy();
    expect(await test.record(1)).to.include({
      path: '/join',
      status: 0,
      replyBytes: 0,
      detail: null,
    });
  });

  it('while a daemon hangs is recorded with status 0', async () => {
    await test.fleet.setFault(['sim-1'], { kind: 'hang' });
    const socket = await send('GET /interface', '\r\n');
    expect(test.log.last).to.equal(0);
    socket.destroy();
    expect(await test.record(1)).to.include({ path: '/interface', status: 0 });
    await test.fleet.setFault(['sim-1'], undefined);
    expect((await test.call(1, '/interface')).status).to.equal(200);
  });

  it('does not undo what was asked: the record tells what was granted all the same', async () => {
    const pool = cluster.put({ host: 'sim-1', nic: 'eth1', podCIDR: '192.168.0.0/26' });
    let answer: () => void = () => undefined;
    cluster.listTroubles.push(({ response, carryOut }) => {
      answer = () => response.end(JSON.stringify(carryOut().body));
    });
    const body = JSON.stringify(POD);
    const socket = await send('POST /allocate', `Content-Length: ${body.length}\r\n\r\n${body}`);
    await eventually('the list of pools', () => cluster.lists.length === 1);
    socket.destroy();
    await aLittleLater();
    expect(test.log.last).to.equal(0);
    answer();
    const call = await test.record(1);
    expect(call.status).to.equal(0);
    expect(call.detail).to.deep.include({ granted: [{ interface: 'eth1', ip: '192.168.0.1' }] });
    expect(cluster.rows(pool)).to.have.length(1);
  });
});
