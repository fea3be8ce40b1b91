import { expect } from 'chai';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { Writer } from '../../src/stubs/controller/writer.ts';
import { failure } from '../helpers/fake-objects.ts';
import { LiveApiServer } from '../helpers/live-apiserver.ts';
import { hostOf, networkOf, plan } from '../helpers/planned-network.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { PATHS } from '../helpers/reference-world.ts';
import { ScriptedClock } from '../helpers/scripted-clock.ts';

const { nics } = hostOf(1);
const { entries } = plan(networkOf(), [hostOf(1)]);
const CONFIG = { name: 'net' };
const pool = (n: number, hostName = 'sim-1') => ({
  podCIDR: `192.168.${n}.0/24`,
  vlanCIDR: '192.168.0.0/17',
  netAttachDef: 'net',
  hostName,
  interfaceName: 'eth1',
});
const ALLOCATIONS = [{ pod: 'p', namespace: 'n', index: 1, address: '192.168.0.1' }];

describe('the writes of the reference controller', () => {
  let server: LiveApiServer;
  let kube: KubeClient;
  let clock: ScriptedClock;
  beforeEach(async () => {
    server = await LiveApiServer.start();
    kube = plainClient(server.url);
    clock = new ScriptedClock();
    server.objects.put(PATHS.networks, 'net', { spec: {} });
  });
  afterEach(async () => {
    await kube.close();
    await server.stop();
  });

  it('are limited for each kind by itself', async () => {
    const writer = new Writer(kube, clock, 2);
    for (const n of [1, 2, 3]) {
      await writer.createHostInterface(`sim-${n}`, nics);
      await writer.writeCidr(`net-${n}`, CONFIG, entries, false);
      await writer.deletePool(`net-${n}`);
      await writer.writeStatus('net', { message: String(n) });
    }
    expect(clock.sleeps).to.deep.equal([]);
    await writer.deletePool('net-4');
    expect(clock.sleeps).to.deep.equal([500]);
    expect(server.writes).to.have.length(13);
  });

  it('of a new pool count twice, for the finalizer that it does not get', async () => {
    const writer = new Writer(kube, clock, 4);
    for (const n of [1, 2, 3]) await writer.createPool(pool(n), []);
    expect(clock.sleeps).to.deep.equal([]);
    await writer.createPool(pool(4), []);
    expect(clock.sleeps).to.deep.equal([250, 250]);
    await writer.deletePool('net-192.168.1.0-24');
    expect(clock.sleeps).to.deep.equal([250, 250, 250]);
    expect(server.writes).to.have.length(5);
  });

  it('wait for nothing without a limit', async () => {
    const writer = new Writer(kube, clock, 0);
    for (let n = 0; n < 50; n++) await writer.createPool(pool(n), []);
    expect(clock.sleeps).to.deep.equal([]);
  });

  it('bring up to date what was to be created and is there already', async () => {
    const writer = new Writer(kube, clock, 0);
    await writer.createHostInterface('sim-1', []);
    await writer.createHostInterface('sim-1', nics);
    await writer.writeCidr('net', CONFIG, [], false);
    await writer.writeCidr('net', CONFIG, entries, false);
    const specOf = (path: string, name: string) => server.objects.get(path, name)?.['spec'];
    expect(specOf(PATHS.hosts, 'sim-1')).to.deep.equal({ hostName: 'sim-1', interfaces: nics });
    expect(specOf(PATHS.cidrs, 'net')).to.deep.equal({ config: CONFIG, cidr: entries });
  });

  it('leave the allocations of a pool alone', async () => {
    const writer = new Writer(kube, clock, 0);
    await writer.createPool(pool(1), ['192.168.1.8/29']);
    const name = 'net-192.168.1.0-24';
    const of = () => server.objects.get(PATHS.pools, name);
    const excludes = ['192.168.1.8/29'];
    expect(of()?.['spec']).to.deep.equal({ ...pool(1), excludes, allocations: [] });
    server.objects.put(PATHS.pools, name, {
      ...of(),
      spec: { ...pool(1), excludes, allocations: ALLOCATIONS },
    });
    await writer.createPool(pool(1, 'sim-2'), excludes);
    expect(of()?.['spec']).to.deep.equal({
      ...pool(1, 'sim-2'),
      excludes,
      allocations: ALLOCATIONS,
    });
    expect(of()?.metadata.labels).to.deep.equal({ hostname: 'sim-2', netname: 'net' });
  });

  it('take what is gone for deleted, and no refusal for it', async () => {
    const writer = new Writer(kube, clock, 0);
    await writer.deleteHostInterface('gone');
    await writer.deleteCidr('gone');
    await writer.deletePool('gone');
    expect(server.writes.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
    server.refuses = () => failure(403, 'Forbidden');
    for (const work of [writer.deletePool('a'), writer.createPool(pool(1), [])])
      expect(String(await work.catch((error: unknown) => error))).to.include('403 Forbidden');
  });
});
