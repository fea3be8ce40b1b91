// The cluster ready: sim's runtime against plain `kwokctl create cluster` up to /readyz, in turn.
//   node --import tsx/esm bench/cluster-ready.ts [rounds]
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HealthProbe } from '../src/sim/kube/health.ts';
import { kwokctlConfig, type KwokctlPorts } from '../src/sim/runtimes/kwokctl-config.ts';
import {
  CLUSTER_PROGRAMS,
  ensureToolchain,
  type ProgramName,
} from '../src/sim/toolchain/toolchain.ts';
import { host, row, timed, withCluster } from './cluster.ts';

const rounds = Number(process.argv[2] ?? 5);
const programs = await ensureToolchain(host, { programs: CLUSTER_PROGRAMS });
const path = (name: ProgramName): string => programs.get(name)?.path ?? '';
const ports: KwokctlPorts = {
  etcd: 19_000,
  etcdPeer: 19_001,
  apiserver: 19_002,
  kwok: 19_003,
  controllerManager: 19_004,
  scheduler: 19_005,
};

async function plainKwokctl(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'sim-bench-'));
  const env = {
    PATH: `${directory}:${host.env['PATH'] ?? ''}`,
    HOME: directory,
    KWOK_WORKDIR: directory,
  };
  await host.files.writeText(join(directory, 'kubectl'), '#!/bin/sh\nprintf ok\n', { mode: 0o700 });
  const config = kwokctlConfig({
    ports,
    kubernetes: programs.get('kube-apiserver')?.version ?? '',
    programs: {
      etcd: path('etcd'),
      'kube-apiserver': path('kube-apiserver'),
      'kube-controller-manager': path('kube-controller-manager'),
      'kube-scheduler': path('kube-scheduler'),
      kwok: path('kwok'),
    },
    preset: 'realistic',
    auditPolicyPath: undefined,
    clusterArguments: {},
  });
  await host.files.writeText(join(directory, 'kwok.yaml'), config);
  const run = (args: readonly string[]) =>
    host.commands.run(path('kwokctl'), args, { env, timeoutMs: 60_000, privateFiles: true });
  const kubeconfig = ['--kubeconfig', join(directory, 'kubeconfig')];
  try {
    return await timed(async () => {
      await run([
        'create',
        'cluster',
        '--name',
        'b',
        '--config',
        join(directory, 'kwok.yaml'),
        ...kubeconfig,
      ]);
      const ca = await readFile(join(directory, 'clusters', 'b', 'pki', 'ca.crt'), 'utf8');
      const probe = new HealthProbe(`https://127.0.0.1:${ports.apiserver}/readyz`, ca);
      while (!(await probe.ask()).ok) await host.clock.sleep(30);
      await probe.close();
    });
  } finally {
    await run(['delete', 'cluster', '--name', 'b', ...kubeconfig]);
    await rm(directory, { recursive: true, force: true });
  }
}

const sim: number[] = [];
const plain: number[] = [];
for (let i = 0; i < rounds; i++) {
  const began = host.clock.now();
  sim.push(await withCluster(() => Promise.resolve((host.clock.now() - began) / 1000)));
  plain.push(await plainKwokctl());
}
console.log(`cluster ready, seconds${' '.repeat(24)}     min  median     max`);
console.log(row('sim (also checks pids, ports, health)', sim));
console.log(row('kwokctl create + /readyz', plain));
console.log(
  row(
    'ratio (sim / kwokctl), round by round',
    sim.map((s, i) => s / (plain[i] ?? NaN)),
  ),
);
