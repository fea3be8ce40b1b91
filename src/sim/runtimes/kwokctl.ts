import { join } from 'node:path';
import { SimError } from '../base/errors.ts';
import { formatDuration } from '../base/duration.ts';
import type { Host } from '../host/host.ts';
import { lock } from '../host/locks.ts';
import { lockPath } from '../host/state-directory.ts';
import {
  CLUSTER_PROGRAMS,
  ensureToolchain,
  type Program,
  type ProgramName,
} from '../toolchain/toolchain.ts';
import { KwokctlCluster } from './kwokctl-cluster.ts';
import { AUDIT_POLICY, kwokctlConfig, type KwokctlPorts } from './kwokctl-config.ts';
import { kwokctlEnvironment, kwokctlPaths, type KwokctlPaths } from './kwokctl-paths.ts';
import { takePortBlock } from './port-block.ts';
import type { Capabilities, ClusterHandle, ClusterRuntime, ProvisionOptions } from './runtime.ts';

const CREATE_TIMEOUT_MS = 60_000;
const LOCK_TIMEOUT_MS = 120_000;

const capabilities: Capabilities = {
  runsRealPods: false,
  ownsCluster: true,
  sharesHostNetwork: true,
  canRestartControlPlane: true,
};

/** A control plane of real programs as processes of this machine, by kwokctl's binary runtime. Needs no Docker. */
export const kwokctlRuntime: ClusterRuntime = {
  name: 'kwokctl',
  capabilities,
  probe: ({ platform }) =>
    Promise.resolve(
      platform.os === 'linux' ? { detail: 'control plane as host processes' } : undefined,
    ),
  provision,
};

async function provision(host: Host, options: ProvisionOptions): Promise<ClusterHandle> {
  const programs = await ensureToolchain(host, {
    programs: CLUSTER_PROGRAMS,
    signal: options.signal,
    onProgress: options.onProgress,
  });
  const kubernetes = program(programs, 'kube-apiserver').version;
  if (options.kubernetes !== undefined && options.kubernetes !== kubernetes)
    throw new SimError(
      'SIM_UNSUPPORTED',
      `the scenario asks for Kubernetes ${options.kubernetes}, the toolchain has ${kubernetes}`,
      {
        hint: 'leave cluster.kubernetes out, or name programs of that version with SIM_KUBE_APISERVER, SIM_KUBE_CONTROLLER_MANAGER and SIM_KUBE_SCHEDULER',
      },
    );
  const paths = kwokctlPaths(options.workDirectory);
  const began = host.clock.now();
  const { ports, cluster } = await create(host, options, paths, programs);
  await cluster.waitUntilReady(ports, options.signal);
  const took = formatDuration(host.clock.now() - began);
  options.onProgress(`cluster ready after ${took}; KUBECONFIG=${cluster.kubeconfigPath}`);
  return cluster;
}

/** Under a lock: two creations at the same moment would reach for the same ports. */
async function create(
  host: Host,
  options: ProvisionOptions,
  paths: KwokctlPaths,
  programs: ReadonlyMap<ProgramName, Program>,
): Promise<{ readonly ports: KwokctlPorts; readonly cluster: KwokctlCluster }> {
  const createLock = await lock(host, lockPath(host, 'create'), {
    timeoutMs: LOCK_TIMEOUT_MS,
    signal: options.signal,
    onWait: () => {
      options.onProgress('waiting for another run that is creating its cluster');
    },
  });
  try {
    const block = await takePortBlock(host, 6);
    options.undo('give the ports back', () => block.release());
    const ports = portsOf(block.ports);
    await writeFiles(host, options, paths, programs, ports);
    await block.free();
    const env = kwokctlEnvironment(host, paths, options.runId);
    const kwokctl = program(programs, 'kwokctl').path;
    await runCreate(host, options, paths, kwokctl, env);
    const { onProcesses } = options;
    const versions = versionsOf(programs);
    const cluster = new KwokctlCluster(host, {
      paths,
      kwokctl,
      env,
      capabilities,
      versions,
      onProcesses,
    });
    await cluster.findProcesses();
    return { ports, cluster };
  } finally {
    await createLock.release();
  }
}

async function runCreate(
  { commands }: Host,
  { signal, workDirectory }: ProvisionOptions,
  paths: KwokctlPaths,
  kwokctl: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const files = ['--config', paths.config, '--kubeconfig', paths.mergedKubeconfig];
  try {
    await commands.run(kwokctl, ['create', 'cluster', '--name', paths.cluster, ...files], {
      env,
      timeoutMs: CREATE_TIMEOUT_MS,
      signal,
      privateFiles: true,
      cwd: workDirectory,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw startError(error);
  }
}

async function writeFiles(
  { files }: Host,
  options: ProvisionOptions,
  paths: KwokctlPaths,
  programs: ReadonlyMap<ProgramName, Program>,
  ports: KwokctlPorts,
): Promise<void> {
  const path = (name: ProgramName): string => program(programs, name).path;
  await files.makeDirectory(paths.shimDirectory, { mode: 0o700 });
  // kwokctl only ever asks kubectl whether the API server is there, for as long as it takes; that is ours to find
  // out. Without a newline: with one, kwokctl does not believe it.
  await files.writeText(join(paths.shimDirectory, 'kubectl'), '#!/bin/sh\nprintf ok\n', {
    mode: 0o700,
  });
  await files.writeText(paths.auditPolicy, AUDIT_POLICY, { mode: 0o600 });
  const config = kwokctlConfig({
    ports,
    kubernetes: program(programs, 'kube-apiserver').version,
    programs: {
      etcd: path('etcd'),
      'kube-apiserver': path('kube-apiserver'),
      'kube-controller-manager': path('kube-controller-manager'),
      'kube-scheduler': path('kube-scheduler'),
      kwok: path('kwok'),
    },
    preset: options.preset,
    auditPolicyPath: options.auditLog ? paths.auditPolicy : undefined,
    clusterArguments: options.clusterArguments,
  });
  await files.writeText(paths.config, config, { mode: 0o600 });
}

function portsOf(ports: readonly number[]): KwokctlPorts {
  const [etcd = 0, etcdPeer = 0, apiserver = 0, kwok = 0, controllerManager = 0, scheduler = 0] =
    ports;
  return { etcd, etcdPeer, apiserver, kwok, controllerManager, scheduler };
}

function program(programs: ReadonlyMap<ProgramName, Program>, name: ProgramName): Program {
  const found = programs.get(name);
  if (!found) throw new SimError('SIM_BUG', `the toolchain did not answer for ${name}`);
  return found;
}

const versionsOf = (programs: ReadonlyMap<ProgramName, Program>): Record<string, string> => ({
  kubernetes: program(programs, 'kube-apiserver').version,
  etcd: program(programs, 'etcd').version,
  kwok: program(programs, 'kwok').version,
});

function startError(error: unknown): SimError {
  const details = error instanceof SimError ? error.details : [];
  const reason = error instanceof Error ? error.message : String(error);
  return new SimError('SIM_CLUSTER_START', `kwokctl could not create the cluster: ${reason}`, {
    details,
    cause: error,
    hint: '`sim doctor` shows the programs it uses',
  });
}
