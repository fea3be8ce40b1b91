import { expect } from 'chai';
import { addDigests, textDigest } from '../../src/sim/base/set-digest.ts';
import * as contract from '../../src/stubs/daemon/contract.ts';
import { realClock } from '../../src/sim/host/real-clock.ts';
import { nic, TestFleet } from '../helpers/test-fleet.ts';

const route = (n: number): contract.Route => ({
  net: `192.168.0.${n}/26`,
  via: `10.0.0.${n}`,
  iface: 'eth1',
});
const tableOf = (...routes: readonly contract.Route[]) => ({
  count: routes.length,
  digest: routes
    .map(({ net, via, iface }) => textDigest(`${net}|${via}|${iface}`))
    .reduce(addDigests, 0),
});
const DONE = { success: true, msg: '' };

describe('a daemon', () => {
  let test: TestFleet;
  beforeEach(async () => {
    test = TestFleet.withoutCluster();
    await test.put(2);
  });
  afterEach(() => test.close());

  it('answers with its own identity, on the same port as the others', async () => {
    for (const index of [1, 2]) {
      const { body } = await test.call(index, '/interface');
      expect(contract.interfaceReply.parse(body)).to.deep.equal([nic('eth1', index)]);
      const health = contract.healthReply.parse((await test.call(index, '/healthz')).body);
      expect(health).to.deep.equal({ ok: true, name: `sim-${index}` });
    }
  });

  it('tells its interfaces by any method, and with a slash behind', async () => {
    for (const method of ['GET', 'POST', 'PUT'])
      expect((await test.call(1, '/interface/', undefined, method)).body).to.have.length(1);
    test.fleet.setInterfaces('sim-1', []);
    expect((await test.call(1, '/interface')).body).to.deep.equal([]);
    expect((await test.record(4)).detail).to.deep.equal({ kind: 'interface', interfaces: 0 });
  });

  it('takes note of its peers, and of greetings', async () => {
    const hifs = [nic('eth1', 1), nic('eth1', 2)];
    expect(contract.emptyReply.parse((await test.call(1, '/join', { hifs })).body)).to.equal('');
    expect((await test.call(1, '/join', { hifs: null })).body).to.equal('');
    expect((await test.call(1, '/greet', '"10.1.0.2"')).body).to.equal('');
    await test.call(2, '/join', { hifs });
    await test.call(2, '/join', { hifs });
    const told = (await test.records()).flatMap(({ detail }) =>
      detail?.kind === 'join' ? detail.interfaces : [],
    );
    expect(told).to.deep.equal([2, 0, 2, 2]);
  });

  it('keeps the routes of a network, adds to them, replaces and deletes them', async () => {
    const add = (routes: readonly contract.Route[] | null, force: boolean) =>
      test.call(1, '/addl3', { name: 'net', subnet: '192.168.0.0/16', routes, force });
    expect((await add([route(1), route(2)], true)).body).to.deep.equal(DONE);
    await add([route(2), route(3)], false);
    await add([route(4)], true);
    await add(null, false);
    expect((await test.call(1, '/deletel3', { name: 'net' })).body).to.deep.equal(DONE);
    const details = (await test.records()).map(({ detail }) => detail);
    const addl3 = { kind: 'addl3', network: 'net' };
    expect(details).to.deep.equal([
      {
        ...addl3,
        force: true,
        routes: 2,
        table: tableOf(route(1), route(2)),
        version: 1,
      },
      {
        ...addl3,
        force: false,
        routes: 2,
        table: tableOf(route(1), route(2), route(3)),
        version: 2,
      },
      { ...addl3, force: true, routes: 1, table: tableOf(route(4)), version: 3 },
      { ...addl3, force: false, routes: 0, table: tableOf(route(4)), version: 4 },
      { kind: 'deletel3', network: 'net', table: tableOf(), version: 5 },
    ]);
  });

  it('has tables of its own', async () => {
    await test.call(1, '/addl3', { name: 'net', routes: [route(1)], force: true });
    expect(test.fleet.state('sim-1')?.tables).to.have.keys('net');
    expect(test.fleet.state('sim-2')?.tables).to.deep.equal({});
  });

  it('adds and deletes single routes, each once', async () => {
    const bodies: unknown[] = [];
    for (const path of ['/addroute', '/addroute', '/deleteroute', '/deleteroute'])
      bodies.push(contract.routeReply.parse((await test.call(1, path, route(1))).body));
    expect(bodies).to.deep.equal([
      DONE,
      { success: false, msg: 'the route exists' },
      DONE,
      { success: false, msg: 'there is no such route' },
    ]);
    expect((await test.record(2)).detail).to.deep.equal({
      kind: 'route',
      success: false,
      table: tableOf(route(1)),
    });
  });

  it('selects interfaces for a pod', async () => {
    const request = { pod: 'p', namespace: 'ns', host: 'sim-1', def: 'net' };
    const { body } = await test.call(1, '/select', { ...request, masterNets: ['10.1.0.0/16'] });
    expect(contract.selectReply.parse(body)).to.deep.equal({ deviceIDs: [], masters: ['eth1'] });
    await test.call(1, '/select', { ...request, args: { masters: ['eth7'] } });
    const pod = { kind: 'pod', pod: 'p', namespace: 'ns', network: 'net', omitted: [] };
    expect((await test.records()).map(({ detail }) => detail)).to.deep.equal([
      { ...pod, asked: [], granted: [{ interface: 'eth1', ip: '' }] },
      { ...pod, asked: ['eth7'], granted: [] },
    ]);
  });

  it('counts its calls for Prometheus', async () => {
    await test.call(1, '/interface');
    await test.call(1, '/nothing');
    await test.call(2, '/interface');
    await test.call(1, '/addl3', { name: 'a"b', routes: [route(1)], force: true });
    const { body, headers } = await test.call(1, '/metrics');
    expect(headers.get('content-type')).to.match(/^text\/plain/);
    expect(String(body).split('\n')).to.include.members([
      'sim_daemon_interfaces 1',
      'sim_daemon_routes{network="a\\"b"} 1',
      'sim_daemon_calls_total{path="/interface",status="200"} 1',
      'sim_daemon_calls_total{path="/nothing",status="404"} 1',
    ]);
  });

  it('has every call recorded with its time, size and status', async () => {
    const before = realClock.now();
    const body = JSON.stringify({ hifs: [nic('eth1', 1)] });
    await test.call(2, '/join?x=y', body);
    const call = await test.record(1);
    expect(contract.callRecord.parse(call)).to.deep.equal(call);
    expect(call).to.include({
      seq: 1,
      node: 'sim-2',
      method: 'POST',
      path: '/join',
      status: 200,
      requestBytes: body.length,
      replyBytes: 2,
    });
    expect(call.atMs).to.be.within(before, realClock.now());
    expect(call.durationMs).to.be.within(0, realClock.now() - before);
  });

  it('is found by the address that was called, and nobody else', async () => {
    test.fleet.state('sim-1');
    await test.fleet.remove(['sim-1']);
    await test.fleet.put([{ ...test.loopback.node(1), name: 'another' }]);
    expect((await test.call(1, '/healthz')).body).to.deep.equal({ ok: true, name: 'another' });
  });
});
