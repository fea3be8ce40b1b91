import { expect } from 'chai';
import { cniWorlds, only, type CniWorld } from '../helpers/cni-world.ts';
import type { Row } from '../helpers/fake-ip-pools.ts';

const FULL: { readonly allocations: readonly Row[] } = {
  allocations: Array.from({ length: 61 }, (_, i) => ({
    pod: `p${i}`,
    namespace: 'ns',
    index: i + 1,
    address: `192.168.0.${i + 1}`,
  })),
};

describe('the CNI stub, asking daemons for addresses', function () {
  this.timeout(30_000);
  const startWorld = cniWorlds();
  let world: CniWorld;
  beforeEach(async () => {
    world = await startWorld();
  });

  it('gets one on every NIC, and gives them back', async () => {
    const pools = world.pool(1);
    const pods = [world.pod(1, 'a')];
    const end = await world.run(world.plan(pods));
    expect({ code: end.code, stderr: end.stderr }).to.deep.equal({ code: 0, stderr: '' });
    const { dueMs, startMs, endMs, ...result } = only(end);
    expect(result).to.deep.equal({
      verb: 'allocate',
      node: 'sim-1',
      namespace: 'ns',
      pod: 'a',
      network: 'net',
      status: 'complete',
      asked: ['eth1', 'eth2'],
      granted: [
        { interface: 'eth1', ip: '192.168.1.1' },
        { interface: 'eth2', ip: '192.168.65.1' },
      ],
      retries: 0,
      problem: null,
    });
    expect([dueMs, startMs, endMs]).to.deep.equal(
      [dueMs, startMs, endMs].toSorted((a, b) => a - b),
    );
    expect(pools.map((pool) => world.pools.rows(pool).length)).to.deep.equal([1, 1]);

    const back = await world.run(world.plan(pods, { verb: 'deallocate' }));
    expect(back.code, back.stderr).to.equal(0);
    expect(only(back)).to.deep.include({
      verb: 'deallocate',
      status: 'complete',
      asked: [],
      granted: result.granted,
      problem: null,
    });
    expect(pools.map((pool) => world.pools.rows(pool))).to.deep.equal([[], []]);
    const calls = await world.daemons.records();
    expect(calls.map(({ path }) => path)).to.deep.equal(['/select', '/allocate', '/deallocate']);
  });

  it('asks for NICs of the interface networks of its network only', async () => {
    world.pool(1);
    const networks = [{ name: 'net', masterNets: ['10.2.0.0/16'] }];
    const end = await world.run(world.plan([world.pod(1, 'a', { networks })]));
    expect(only(end)).to.deep.include({
      status: 'complete',
      asked: ['eth2'],
      granted: [{ interface: 'eth2', ip: '192.168.65.1' }],
    });
  });

  it('asks for the networks of a pod one after the other', async () => {
    world.pool(1);
    const networks = ['net', 'other'].map((name) => ({ name, masterNets: [] }));
    const { code, results } = await world.run(world.plan([world.pod(1, 'a', { networks })]));
    expect(code).to.equal(1);
    expect(results.map(({ network, status }) => [network, status])).to.deep.equal([
      ['net', 'complete'],
      ['other', 'empty'],
    ]);
    expect(results[1]!.startMs).to.be.at.least(results[0]!.endMs);
    expect(results[1]!.dueMs).to.equal(results[0]!.dueMs);
  });

  it('gives every pod of many its own address', async () => {
    world.pool(1);
    world.pool(2);
    const pods = Array.from({ length: 40 }, (_, i) => world.pod((i % 2) + 1, `pod-${i}`));
    const { code, results } = await world.run(world.plan(pods));
    expect(code).to.equal(0);
    const given = results.flatMap(({ granted }) => granted.map(({ ip }) => ip));
    expect(new Set(given).size).to.equal(80);
  });

  it('says which NIC has got no address', async () => {
    world.pool(1, { eth1: FULL });
    const end = await world.run(world.plan([world.pod(1, 'a')]));
    expect(end.code).to.equal(1);
    expect(only(end)).to.deep.include({
      status: 'partial',
      asked: ['eth1', 'eth2'],
      granted: [{ interface: 'eth2', ip: '192.168.65.1' }],
      retries: 0,
      problem: 'no address on eth1',
    });
  });

  it('asks again when there is none at all, as often as it may', async () => {
    world.pool(1, { eth1: FULL, eth2: FULL });
    const end = await world.run(world.plan([world.pod(1, 'a')], { attempts: 3 }));
    expect(end.code).to.equal(1);
    expect(only(end)).to.deep.include({
      status: 'empty',
      asked: ['eth1', 'eth2'],
      granted: [],
      retries: 2,
      problem: 'no address on eth1, eth2',
    });
    const calls = await world.daemons.records();
    expect(calls.map(({ path }) => path)).to.deep.equal([
      '/select',
      '/allocate',
      '/allocate',
      '/allocate',
    ]);
  });

  it('does not ask for addresses when no NIC was selected', async () => {
    const networks = [{ name: 'net', masterNets: ['10.9.0.0/16'] }];
    const end = await world.run(world.plan([world.pod(1, 'a', { networks })], { attempts: 3 }));
    expect(end.code).to.equal(1);
    expect(only(end)).to.deep.include({
      status: 'empty',
      asked: [],
      retries: 0,
      problem: 'the daemon selected no NIC',
    });
    expect((await world.daemons.records()).map(({ path }) => path)).to.deep.equal(['/select']);
  });

  it('finds nothing to give back once that was done, and takes that for well', async () => {
    world.pool(1);
    const end = await world.run(world.plan([world.pod(1, 'a')], { verb: 'deallocate' }));
    expect(end.code, end.stderr).to.equal(0);
    expect(only(end)).to.deep.include({ status: 'empty', granted: [], retries: 0, problem: null });
  });
});
