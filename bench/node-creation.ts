// 1,000 fake nodes Ready: sim against `kwokctl scale node`, in turn, each on a fresh cluster.
//   node --import tsx/esm bench/node-creation.ts [rounds]
import { dirname, join } from 'node:path';
import pMap from 'p-map';
import { KubeClient } from '../src/sim/kube/client.ts';
import { KINDS } from '../src/sim/kube/objects.ts';
import { isRecord } from '../src/sim/base/json.ts';
import { nodeName } from '../src/sim/base/node-names.ts';
import type { ClusterHandle } from '../src/sim/runtimes/runtime.ts';
import { CONCURRENCY } from '../src/sim/steps/concurrency.ts';
import { FakeNodes } from '../src/sim/steps/fake-nodes.ts';
import { ensureToolchain } from '../src/sim/toolchain/toolchain.ts';
import { host, row, timed, withCluster } from './cluster.ts';

const NODES = 1000;
const rounds = Number(process.argv[2] ?? 3);

async function readyNodes(kube: KubeClient): Promise<number> {
  const nodes = await kube.list(KINDS.node);
  return nodes.filter(({ status }) => {
    const conditions = isRecord(status) ? status['conditions'] : undefined;
    return (
      Array.isArray(conditions) &&
      conditions.some((c) => isRecord(c) && c['type'] === 'Ready' && c['status'] === 'True')
    );
  }).length;
}

async function untilReady(kube: KubeClient): Promise<void> {
  while ((await readyNodes(kube)) < NODES) await host.clock.sleep(100);
}

async function bySim(cluster: ClusterHandle): Promise<number> {
  const kube = await KubeClient.fromFile(cluster.kubeconfigPath, {
    clock: host.clock,
    userAgent: 'bench',
  });
  const fakeNodes = await FakeNodes.load(host, {
    runId: 'bench',
    network: '127.200.0.0/16',
    capacity: { cpu: '32', memory: '256Gi', pods: 110 },
    labels: {},
    ready: 'at-create',
  });
  const indexes = Array.from({ length: NODES }, (_, i) => i + 1);
  const seconds = await timed(async () => {
    await pMap(
      indexes,
      (i) => kube.create(KINDS.node, fakeNodes.object(i), { name: nodeName(i) }),
      { concurrency: CONCURRENCY },
    );
    await untilReady(kube);
  });
  await kube.close();
  return seconds;
}

async function byKwokctl(cluster: ClusterHandle): Promise<number> {
  const kube = await KubeClient.fromFile(cluster.kubeconfigPath, {
    clock: host.clock,
    userAgent: 'bench',
  });
  const kwokctl =
    (await ensureToolchain(host, { programs: ['kwokctl'] })).get('kwokctl')?.path ?? '';
  const workdir = join(dirname(cluster.kubeconfigPath), '..', '..');
  const seconds = await timed(async () => {
    await host.commands.run(
      kwokctl,
      [
        'scale',
        'node',
        '--name',
        'sim',
        '--replicas',
        String(NODES),
        '--param',
        '.nodeIPs=["172.30.0.1"]',
      ],
      { env: { PATH: host.env['PATH'], HOME: workdir, KWOK_WORKDIR: workdir }, timeoutMs: 300_000 },
    );
    await untilReady(kube);
  });
  await kube.close();
  return seconds;
}

const sim: number[] = [];
const kwokctl: number[] = [];
for (let i = 0; i < rounds; i++) {
  sim.push(await withCluster(bySim));
  kwokctl.push(await withCluster(byKwokctl));
}
console.log(`${NODES} nodes Ready, seconds${' '.repeat(22)}     min  median     max`);
console.log(row('sim', sim));
console.log(row('kwokctl scale node', kwokctl));
console.log(
  row(
    'ratio (kwokctl / sim), round by round',
    sim.map((s, i) => (kwokctl[i] ?? NaN) / s),
  ),
);
