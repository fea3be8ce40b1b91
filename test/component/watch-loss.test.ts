import { expect } from 'chai';
import { collectionPath } from '../../src/sim/kube/objects.ts';
import { NODE_SLICE_POOL } from '../../src/sim/operators/whereabouts/operator-kinds.ts';
import { CommandLine } from '../helpers/command-line.ts';
import { aLittleLater } from '../helpers/eventually.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { refuse } from '../helpers/fake-troubles.ts';
import { temporaryDirectory, writeKubeconfig } from '../helpers/kubeconfig.ts';

const NODES = '/api/v1/nodes';
const POOLS = collectionPath(NODE_SLICE_POOL);
const SPEC = { spec: { podCIDRs: ['10.0.0.0/24'] } };

describe('sim watch that loses its watch', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let server: FakeApiServer;
  let line: CommandLine;
  let kubeconfig: string;

  beforeEach(async () => {
    directory = await temporaryDirectory();
    server = await FakeApiServer.start();
    kubeconfig = await writeKubeconfig(directory.path, { server: server.url });
    line = new CommandLine();
    server.objects.put(NODES, 'sim-1', SPEC);
  });
  afterEach(async () => {
    line.stop('SIGINT');
    await server.stop();
    await directory.remove();
  });

  const watch = (...args: readonly string[]): Promise<number> =>
    line.run('watch', '--kubeconfig', kubeconfig, '--profile', 'node-ipam', ...args);

  it('goes on where it was closed, and says nothing', async () => {
    const ended = watch();
    (await server.watch(1)).end();
    (await server.watch(2)).event('ADDED', server.objects.put(NODES, 'sim-2', SPEC));
    await line.says(/pods: nodes 2/);
    line.stop('SIGINT');
    expect(await ended).to.equal(0);
    expect(line.err).to.deep.equal([]);
  });

  it('says that it had to list anew, and why', async () => {
    const ended = watch();
    const open = await server.watch(1);
    server.objects.put(NODES, 'sim-2', SPEC);
    open.error(410, 'Expired');
    await line.says(/pods: nodes 2/);
    line.stop('SIGINT');
    expect(await ended).to.equal(0);
    expect(line.err[0]).to.match(/\] nodes: the server said .*Expired/);
    expect(line.err[1]).to.match(/\] nodes: listed anew$/);
  });

  it('says that the figures are old while the server is away, and when they are new again', async () => {
    const ended = watch();
    await server.watch(1);
    await server.stop();
    await line.says(/the figures may be out of date: cannot watch nodes: ./);
    await server.start();
    await line.says(/the figures are up to date again/);
    line.stop('SIGINT');
    expect(await ended).to.equal(0);
  });

  it('takes nothing for complete while the figures are old', async () => {
    const pool = (nodeName: string) => ({
      spec: { range: '10.0.0.0/16', sliceSize: '/24' },
      status: { allocations: [{ nodeName, sliceRange: '10.0.0.0/24' }] },
    });
    server.objects.put(POOLS, 'net', pool(''));
    const ended = line.run(
      ...['watch', '--kubeconfig', kubeconfig, '--profile', 'whereabouts', '--until-complete'],
    );
    const [pools, nodes] = [await server.watch(1), await server.watch(2)];
    server.watchTroubles.push(...Array.from({ length: 100 }, () => refuse(500, 'Broken')));
    nodes.end();
    await line.says(/the figures may be out of date: cannot watch nodes/);
    pools.event('MODIFIED', server.objects.put(POOLS, 'net', pool('sim-1')));
    await line.says(/net: nodes 1, blocks 1, \d\.\d\/s$/);
    expect(await Promise.race([ended, aLittleLater(600)])).to.equal(undefined);
    server.watchTroubles.length = 0;
    expect(await ended).to.equal(0);
  });

  it('ends where it may list but not watch', async () => {
    server.watchTroubles.push(refuse(403, 'Forbidden'));
    expect(await watch()).to.equal(3);
    expect(line.err[0]).to.equal('SIM_API not allowed to watch nodes');
    expect(line.err.at(-1)).to.equal('  hint: sim watch needs list and watch on nodes');
  });

  it('says that an object cannot be read', async () => {
    server.objects.put(NODES, 'odd', { spec: { podCIDRs: 7 } });
    const ended = watch();
    await line.says(/nodes: odd has an unexpected shape: spec\.podCIDRs/);
    line.stop('SIGINT');
    expect(await ended).to.equal(0);
  });
});
