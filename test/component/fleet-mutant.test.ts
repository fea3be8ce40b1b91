import { join } from 'node:path';
import { expect } from 'chai';
import type { Fleet } from '../../src/sim/fleet/fleet.ts';
import { startFleet } from '../../src/sim/fleet/start-fleet.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import { FakeIpPools } from '../helpers/fake-ip-pools.ts';
import { temporaryDirectory, writeKubeconfig } from '../helpers/kubeconfig.ts';
import { ROOT } from '../helpers/sim-process.ts';
import { bundleStub } from '../helpers/stub-program.ts';
import { Loopback } from '../helpers/test-fleet.ts';

const host = realHost(ROOT);

describe('the process of a fleet with a mutant', function () {
  this.timeout(30_000);
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  it('has it on the node of the seed, and on no other', async () => {
    const bundle = await bundleStub('fleet');
    undo.push(() => bundle.remove());
    const directory = await temporaryDirectory();
    undo.push(() => directory.remove());
    const cluster = await FakeIpPools.start();
    undo.push(() => cluster.stop());
    const loopback = new Loopback();
    const fleet: Fleet = await startFleet(host, {
      runId: `test-${host.randomId()}`,
      socketPath: join(directory.path, 'fleet.sock'),
      kubeconfigPath: await writeKubeconfig(directory.path, { server: cluster.url }),
      port: loopback.port,
      mutant: { name: 'wrong-index', seed: 1 },
      logFile: join(directory.path, 'fleet.log'),
      signal: new AbortController().signal,
      program: bundle.program,
    });
    undo.push(() => fleet.stop());
    await fleet.putNodes([loopback.node(2), loopback.node(3)]);
    const indexOn = async (n: number): Promise<number | undefined> => {
      const pool = cluster.put({ host: `sim-${n}`, nic: 'eth1', podCIDR: `192.168.${n}.0/26` });
      await fetch(`${loopback.url(n)}/allocate`, {
        method: 'POST',
        body: JSON.stringify({ pod: 'p', namespace: 'n', def: 'net', masters: ['eth1'] }),
      });
      return cluster.rows(pool)[0]?.index;
    };
    expect([await indexOn(2), await indexOn(3)]).to.deep.equal([1, 2]);
  });
});
