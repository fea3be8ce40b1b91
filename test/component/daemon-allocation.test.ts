import { expect } from 'chai';
import { AllocatingFleet, row } from '../helpers/allocating-fleet.ts';
import { eventually } from '../helpers/eventually.ts';
import { loseAnswer, refuse, silence } from '../helpers/fake-troubles.ts';

describe('allocation', () => {
  let fleet: AllocatingFleet;
  beforeEach(async () => {
    fleet = await AllocatingFleet.start();
  });
  afterEach(() => fleet.stop());

  it('takes the next address of each pool and writes it down', async () => {
    const pool = fleet.pool('eth1');
    const other = fleet.pool('eth2', 64);
    const both = { masters: ['eth2', 'eth1'] };
    const { body } = await fleet.ask('/allocate', 'a', both);
    expect(body).to.have.deep.members([
      { interface: 'eth1', ip: '192.168.0.1', block: '18' },
      { interface: 'eth2', ip: '192.168.64.1', block: '18' },
    ]);
    expect(await fleet.addresses('/allocate', 'b', both)).to.deep.equal({
      eth1: '192.168.0.2',
      eth2: '192.168.64.2',
    });
    expect(fleet.cluster.rows(pool)).to.deep.equal([row('a', 1), row('b', 2)]);
    expect(fleet.cluster.rows(other).map(({ address }) => address)).to.deep.equal([
      '192.168.64.1',
      '192.168.64.2',
    ]);
    expect(fleet.cluster.lists[0]?.get('labelSelector')).to.equal('hostname=sim-1,netname=net');
    expect(fleet.cluster.patches[0]?.contentType).to.equal('application/json-patch+json');
    expect((await fleet.test.record(1)).detail).to.deep.equal({
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
    fleet.pool('eth1');
    fleet.cluster.put({ host: 'sim-2', nic: 'eth1', podCIDR: '192.168.1.0/26' });
    fleet.cluster.put({ host: 'sim-2', nic: 'eth1', podCIDR: '192.168.2.0/26', network: 'net2' });
    expect(await fleet.addresses('/allocate', 'a', {}, 2)).to.deep.equal({ eth1: '192.168.1.1' });
    expect(await fleet.addresses('/allocate', 'a', { def: 'net2' }, 2)).to.deep.equal({
      eth1: '192.168.2.1',
    });
  });

  it('takes any part of its own name for its name, and any other name as it is', async () => {
    fleet.pool('eth1');
    for (const host of ['', 'sim-1', 'sim', '1'])
      await fleet.ask('/allocate', `pod-${host}`, { host });
    await fleet.ask('/allocate', 'far', { host: 'sim-2' });
    expect(
      fleet.cluster.lists.map((query) => query.get('labelSelector')?.split(',')[0]),
    ).to.deep.equal([...Array<string>(4).fill('hostname=sim-1'), 'hostname=sim-2']);
  });

  it('answers null when there is nothing to give', async () => {
    expect(await fleet.addresses('/allocate', 'a')).to.equal(null);
    fleet.pool('eth2');
    expect(await fleet.addresses('/allocate', 'a')).to.equal(null);
    expect(await fleet.addresses('/allocate', 'a', { masters: [] })).to.equal(null);
    expect((await fleet.test.record(2)).detail).to.deep.include({
      granted: [],
      omitted: [{ interface: 'eth1', reason: 'no IPPool for it' }],
    });
  });

  it('keeps away from excluded addresses', async () => {
    fleet.pool('eth1', 0, { excludes: ['192.168.0.0/30', '192.168.0.4', '10.0.0.0/8'] });
    expect(await fleet.addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.5' });
  });

  it('fills a gap once the top is reached, in its place in the list', async () => {
    const rows = [row('x', 1), row('y', 3), row('z', 61)];
    const pool = fleet.pool('eth1', 0, { allocations: rows });
    expect(await fleet.addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.2' });
    expect(fleet.cluster.rows(pool).map(({ index }) => index)).to.deep.equal([1, 2, 3, 61]);
  });

  it('leaves a full pool out', async () => {
    fleet.pool('eth1', 0, {
      allocations: Array.from({ length: 61 }, (_, i) => row(`p${i}`, i + 1)),
    });
    fleet.pool('eth2', 64);
    expect(await fleet.addresses('/allocate', 'a', { masters: ['eth1', 'eth2'] })).to.deep.equal({
      eth2: '192.168.64.1',
    });
    expect((await fleet.test.record(1)).detail).to.deep.include({
      omitted: [{ interface: 'eth1', reason: 'IPPool net-192.168.0.0-26: no address is left' }],
    });
  });

  it('leaves a pool out whose patch fails, and keeps the others', async () => {
    const broken = fleet.pool('eth1');
    fleet.pool('eth2', 64);
    fleet.cluster.patchTroubles.push(refuse(422, 'Invalid'));
    const both = { masters: ['eth1', 'eth2'] };
    expect(await fleet.addresses('/allocate', 'a', both)).to.deep.equal({ eth2: '192.168.64.1' });
    expect(fleet.cluster.rows(broken)).to.deep.equal([]);
    const { detail } = await fleet.test.record(1);
    expect(detail).to.have.nested.property('omitted[0].interface', 'eth1');
    expect(detail)
      .to.have.nested.property('omitted[0].reason')
      .that.matches(/422 Invalid/);
    expect(await fleet.addresses('/allocate', 'b', both)).to.deep.equal({
      eth1: '192.168.0.1',
      eth2: '192.168.64.2',
    });
  });

  it('does not repeat a patch whose answer was lost', async () => {
    const pool = fleet.pool('eth1');
    fleet.cluster.patchTroubles.push(loseAnswer);
    expect(await fleet.addresses('/allocate', 'a')).to.equal(null);
    expect(fleet.cluster.patches).to.have.length(1);
    expect(fleet.cluster.rows(pool)).to.deep.equal([row('a', 1)]);
  });

  it('leaves a pool out that makes no sense, and says why', async () => {
    fleet.cluster.put({ host: 'sim-1', nic: 'eth1', podCIDR: 'nonsense' });
    fleet.pool('eth2', 64, { excludes: ['10.0.0.0/99'] });
    expect(await fleet.addresses('/allocate', 'a', { masters: ['eth1', 'eth2'] })).to.equal(null);
    const { detail } = await fleet.test.record(1);
    expect(detail).to.have.nested.property(
      'omitted[0].reason',
      'IPPool net-nonsense: "nonsense" is no IPv4 block',
    );
    expect(detail)
      .to.have.nested.property('omitted[1].reason')
      .that.matches(/"10.0.0.0\/99"/);
  });

  it('takes null for an empty list of rows and excludes', async () => {
    fleet.cluster.put({
      host: 'sim-1',
      nic: 'eth1',
      podCIDR: '192.168.0.0/26',
      excludes: null,
      allocations: null,
    });
    expect(await fleet.addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.1' });
  });

  it('answers 500 with the reason when the pools cannot be read, and lets the next one in', async () => {
    fleet.pool('eth1');
    fleet.cluster.listTroubles.push(refuse(403, 'Forbidden'));
    const { status, body } = await fleet.ask('/allocate', 'a');
    expect(status).to.equal(500);
    expect(body)
      .to.have.property('error')
      .that.matches(/GET .*ippools: 403 Forbidden/);
    expect((await fleet.test.record(1)).detail).to.deep.include({ kind: 'failed' });
    expect(await fleet.addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.1' });
  });

  it('never gives the same address twice to calls that come at once', async () => {
    const pool = fleet.pool('eth1');
    const pods = Array.from({ length: 40 }, (_, i) => `pod-${i}`);
    const replies = await Promise.all(pods.map((pod) => fleet.addresses('/allocate', pod)));
    const given = new Set(replies.map((reply) => (reply as { eth1: string }).eth1));
    expect(given.size).to.equal(40);
    expect(fleet.cluster.rows(pool).map(({ index }) => index)).to.deep.equal(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
  });

  it('is not held up by another daemon whose API calls hang', async () => {
    fleet.pool('eth1');
    fleet.cluster.put({ host: 'sim-2', nic: 'eth1', podCIDR: '192.168.1.0/26' });
    fleet.cluster.listTroubles.push(silence);
    const hanging = fleet.ask('/allocate', 'a');
    await eventually('the list that hangs', () => fleet.cluster.lists.length === 1);
    expect(await fleet.addresses('/allocate', 'b', {}, 2)).to.deep.equal({ eth1: '192.168.1.1' });
    expect((await fleet.test.call(1, '/interface')).status).to.equal(200);
    const broken = hanging.catch(() => 'broken');
    await fleet.test.fleet.remove(['sim-1']);
    expect(await broken).to.equal('broken');
    const { status, detail } = (await fleet.test.records()).at(-1) ?? {};
    expect({ status, detail }).to.deep.equal({
      status: 0,
      detail: { kind: 'failed', problem: 'the daemon of sim-1 has ended' },
    });
  });
});
