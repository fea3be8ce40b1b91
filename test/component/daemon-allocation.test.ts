import { expect } from 'chai';
import { addressReply, type AddressRequest } from '../../src/stubs/daemon/contract.ts';
import { FakeIpPools, type Row } from '../helpers/fake-ip-pools.ts';
import { loseAnswer, refuse, silence } from '../helpers/fake-troubles.ts';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { TestFleet } from '../helpers/test-fleet.ts';

const row = (pod: string, index: number): Row => ({
  pod,
  namespace: 'ns',
  index,
  address: `192.168.0.${index}`,
});

describe('allocation', () => {
  let cluster: FakeIpPools;
  let test: TestFleet;
  beforeEach(async () => {
    cluster = await FakeIpPools.start();
    test = await TestFleet.withCluster(cluster.url);
    await test.put(2);
  });
  afterEach(async () => {
    await test.close();
    await cluster.stop();
  });

  const poolOf = (
    nic: string,
    third = 0,
    more: { excludes?: string[]; allocations?: Row[] } = {},
  ) => cluster.put({ host: 'sim-1', nic, podCIDR: `192.168.${third}.0/26`, ...more });

  const ask = (path: string, pod: string, more: Partial<AddressRequest> = {}, node = 1) =>
    test.call(node, path, {
      pod,
      namespace: 'ns',
      host: '',
      def: 'net',
      masters: ['eth1'],
      ...more,
    });

  /** The addresses in the reply, by interface. */
  async function addresses(...args: Parameters<typeof ask>): Promise<unknown> {
    const { status, body } = await ask(...args);
    expect(status).to.equal(200);
    const reply = addressReply.parse(body);
    return reply && Object.fromEntries(reply.map((one) => [one.interface, one.ip]));
  }

  it('takes the next address of each pool and writes it down', async () => {
    const pool = poolOf('eth1');
    const other = poolOf('eth2', 64);
    const both = { masters: ['eth2', 'eth1'] };
    const { body } = await ask('/allocate', 'a', both);
    expect(body).to.have.deep.members([
      { interface: 'eth1', ip: '192.168.0.1', block: '18' },
      { interface: 'eth2', ip: '192.168.64.1', block: '18' },
    ]);
    expect(await addresses('/allocate', 'b', both)).to.deep.equal({
      eth1: '192.168.0.2',
      eth2: '192.168.64.2',
    });
    expect(cluster.rows(pool)).to.deep.equal([row('a', 1), row('b', 2)]);
    expect(cluster.rows(other).map(({ address }) => address)).to.deep.equal([
      '192.168.64.1',
      '192.168.64.2',
    ]);
    expect(cluster.lists[0]?.get('labelSelector')).to.equal('hostname=sim-1,netname=net');
    expect(cluster.patches[0]?.contentType).to.equal('application/json-patch+json');
    expect((await test.record(1)).detail).to.deep.equal({
      kind: 'pod',
      pod: 'a',
      namespace: 'ns',
      network: 'net',
      asked: ['eth2', 'eth1'],
      granted: [
        { interface: 'eth1', ip: '192.168.0.1' },
        { interface: 'eth2', ip: '192.168.64.1' },
      ],
      omitted: [],
    });
  });

  it('is for the pools of its own node and network', async () => {
    poolOf('eth1');
    cluster.put({ host: 'sim-2', nic: 'eth1', podCIDR: '192.168.1.0/26' });
    cluster.put({ host: 'sim-2', nic: 'eth1', podCIDR: '192.168.2.0/26', network: 'net2' });
    expect(await addresses('/allocate', 'a', {}, 2)).to.deep.equal({ eth1: '192.168.1.1' });
    expect(await addresses('/allocate', 'a', { def: 'net2' }, 2)).to.deep.equal({
      eth1: '192.168.2.1',
    });
  });

  it('takes any part of its own name for its name, and any other name as it is', async () => {
    poolOf('eth1');
    for (const host of ['', 'sim-1', 'sim', '1']) await ask('/allocate', `pod-${host}`, { host });
    await ask('/allocate', 'far', { host: 'sim-2' });
    expect(cluster.lists.map((query) => query.get('labelSelector')?.split(',')[0])).to.deep.equal([
      ...Array<string>(4).fill('hostname=sim-1'),
      'hostname=sim-2',
    ]);
  });

  it('answers null when there is nothing to give', async () => {
    expect(await addresses('/allocate', 'a')).to.equal(null);
    poolOf('eth2');
    expect(await addresses('/allocate', 'a')).to.equal(null);
    expect(await addresses('/allocate', 'a', { masters: [] })).to.equal(null);
    expect((await test.record(2)).detail).to.deep.include({
      granted: [],
      omitted: [{ interface: 'eth1', reason: 'no IPPool for it' }],
    });
  });

  it('keeps away from excluded addresses', async () => {
    poolOf('eth1', 0, { excludes: ['192.168.0.0/30', '192.168.0.4', '10.0.0.0/8'] });
    expect(await addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.5' });
  });

  it('fills a gap once the top is reached, in its place in the list', async () => {
    const rows = [row('x', 1), row('y', 3), row('z', 61)];
    const pool = poolOf('eth1', 0, { allocations: rows });
    expect(await addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.2' });
    expect(cluster.rows(pool).map(({ index }) => index)).to.deep.equal([1, 2, 3, 61]);
  });

  it('leaves a full pool out', async () => {
    poolOf('eth1', 0, { allocations: Array.from({ length: 61 }, (_, i) => row(`p${i}`, i + 1)) });
    poolOf('eth2', 64);
    expect(await addresses('/allocate', 'a', { masters: ['eth1', 'eth2'] })).to.deep.equal({
      eth2: '192.168.64.1',
    });
    expect((await test.record(1)).detail).to.deep.include({
      omitted: [{ interface: 'eth1', reason: 'IPPool net-192.168.0.0-26: no address is left' }],
    });
  });

  it('leaves a pool out whose patch fails, and keeps the others', async () => {
    const broken = poolOf('eth1');
    poolOf('eth2', 64);
    cluster.patchTroubles.push(refuse(422, 'Invalid'));
    const both = { masters: ['eth1', 'eth2'] };
    expect(await addresses('/allocate', 'a', both)).to.deep.equal({ eth2: '192.168.64.1' });
    expect(cluster.rows(broken)).to.deep.equal([]);
    const { detail } = await test.record(1);
    expect(detail).to.have.nested.property('omitted[0].interface', 'eth1');
    expect(detail)
      .to.have.nested.property('omitted[0].reason')
      .that.matches(/422 Invalid/);
    expect(await addresses('/allocate', 'b', both)).to.deep.equal({
      eth1: '192.168.0.1',
      eth2: '192.168.64.2',
    });
  });

  it('does not repeat a patch whose answer was lost', async () => {
    const pool = poolOf('eth1');
    cluster.patchTroubles.push(loseAnswer);
    expect(await addresses('/allocate', 'a')).to.equal(null);
    expect(cluster.patches).to.have.length(1);
    expect(cluster.rows(pool)).to.deep.equal([row('a', 1)]);
  });

  it('leaves a pool out that makes no sense, and says why', async () => {
    cluster.put({ host: 'sim-1', nic: 'eth1', podCIDR: 'nonsense' });
    poolOf('eth2', 64, { excludes: ['10.0.0.0/99'] });
    expect(await addresses('/allocate', 'a', { masters: ['eth1', 'eth2'] })).to.equal(null);
    const { detail } = await test.record(1);
    expect(detail).to.have.nested.property(
      'omitted[0].reason',
      'IPPool net-nonsense: "nonsense" is no IPv4 block',
    );
    expect(detail)
      .to.have.nested.property('omitted[1].reason')
      .that.matches(/"10.0.0.0\/99"/);
  });

  it('takes null for an empty list of rows and excludes', async () => {
    cluster.put({
      host: 'sim-1',
      nic: 'eth1',
      podCIDR: '192.168.0.0/26',
      excludes: null,
      allocations: null,
    });
    expect(await addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.1' });
  });

  it('answers 500 with the reason when the pools cannot be read, and lets the next one in', async () => {
    poolOf('eth1');
    cluster.listTroubles.push(refuse(403, 'Forbidden'));
    const { status, body } = await ask('/allocate', 'a');
    expect(status).to.equal(500);
    expect(body)
      .to.have.property('error')
      .that.matches(/GET .*ippools: 403 Forbidden/);
    expect((await test.record(1)).detail).to.deep.include({ kind: 'failed' });
    expect(await addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.1' });
  });

  it('never gives the same address twice to calls that come at once', async () => {
    const pool = poolOf('eth1');
    const pods = Array.from({ length: 40 }, (_, i) => `pod-${i}`);
    const replies = await Promise.all(pods.map((pod) => addresses('/allocate', pod)));
    const given = new Set(replies.map((reply) => (reply as { eth1: string }).eth1));
    expect(given.size).to.equal(40);
    expect(cluster.rows(pool).map(({ index }) => index)).to.deep.equal(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
  });

  it('is not held up by another daemon whose API calls hang', async () => {
    poolOf('eth1');
    cluster.put({ host: 'sim-2', nic: 'eth1', podCIDR: '192.168.1.0/26' });
    cluster.listTroubles.push(silence);
    const hanging = ask('/allocate', 'a');
    await eventually('the list that hangs', () => cluster.lists.length === 1);
    expect(await addresses('/allocate', 'b', {}, 2)).to.deep.equal({ eth1: '192.168.1.1' });
    expect((await test.call(1, '/interface')).status).to.equal(200);
    const broken = hanging.catch(() => 'broken');
    await test.fleet.remove(['sim-1']);
    expect(await broken).to.equal('broken');
    const { status, detail } = (await test.records()).at(-1) ?? {};
    expect({ status, detail }).to.deep.equal({
      status: 0,
      detail: { kind: 'failed', problem: 'the daemon of sim-1 was removed' },
    });
  });

  describe('taken back', () => {
    it('removes the row of the pod from every pool, whatever interfaces are named', async () => {
      const pool = poolOf('eth1', 0, { allocations: [row('a', 1), row('b', 2)] });
      const other = poolOf('eth2', 64, { allocations: [row('a', 1)] });
      expect(await addresses('/deallocate', 'a')).to.deep.equal({
        eth1: '192.168.0.1',
        eth2: '192.168.0.1',
      });
      expect(cluster.rows(pool)).to.deep.equal([row('b', 2)]);
      expect(cluster.rows(other)).to.deep.equal([]);
    });

    it('answers null when the pod has nothing, and writes nothing', async () => {
      poolOf('eth1', 0, { allocations: [row('a', 1)] });
      expect(await addresses('/deallocate', 'b')).to.equal(null);
      expect(await addresses('/deallocate', 'a', { namespace: 'elsewhere' })).to.equal(null);
      expect(cluster.patches).to.deep.equal([]);
      expect((await test.record(1)).detail).to.deep.include({ granted: [], omitted: [] });
    });

    it('removes one row at a time, the first', async () => {
      const pool = poolOf('eth1', 0, { allocations: [row('a', 1), row('a', 2)] });
      await ask('/deallocate', 'a');
      expect(cluster.rows(pool)).to.deep.equal([row('a', 2)]);
    });

    it('makes a pod that comes back step over the address it had', async () => {
      poolOf('eth1');
      await ask('/allocate', 'a');
      await ask('/deallocate', 'a');
      expect(await addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.2' });
      await ask('/deallocate', 'a');
      expect(await addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.3' });
      expect(await addresses('/allocate', 'b')).to.deep.equal({ eth1: '192.168.0.4' });
    });

    it('leaves a pool out whose patch fails', async () => {
      const pool = poolOf('eth1', 0, { allocations: [row('a', 1)] });
      cluster.patchTroubles.push(refuse(404, 'NotFound'));
      expect(await addresses('/deallocate', 'a')).to.equal(null);
      expect(cluster.rows(pool)).to.deep.equal([row('a', 1)]);
      await aLittleLater(1);
      expect(await addresses('/deallocate', 'a')).to.deep.equal({ eth1: '192.168.0.1' });
    });
  });
});
