import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcesses, processesOfRun } from '../../src/sim/host/end-processes.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import { KubeClient } from '../../src/sim/kube/client.ts';
import { kwokctlRuntime } from '../../src/sim/runtimes/kwokctl.ts';
import type { ClusterHandle } from '../../src/sim/runtimes/runtime.ts';
import { ROOT } from './sim-process.ts';

export const host = realHost(ROOT);

export interface ProvidedCluster {
  readonly cluster: ClusterHandle;
  /** Ends its processes and removes everything it wrote. */
  readonly end: () => Promise<void>;
}

/** A cluster made by the same runtime as in a run, with locks of its own. */
export async function provideCluster(): Promise<ProvidedCluster> {
  const runId = host.randomId();
  const workDirectory = await mkdtemp(join(tmpdir(), 'sim-cluster-'));
  const undo: (() => Promise<void>)[] = [];
  const end = async (): Promise<void> => {
    await endProcesses(host, await processesOfRun(host, runId), 5000);
    for (const undoing of undo.splice(0).reverse()) await undoing();
    await rm(workDirectory, { recursive: true, force: true });
  };
  try {
    const cluster = await kwokctlRuntime.provision(
      { ...host, env: { ...host.env, XDG_STATE_HOME: join(workDirectory, 'state') } },
      {
        runId,
        workDirectory,
        preset: 'realistic',
        auditLog: false,
        kubernetes: undefined,
        clusterArguments: {},
        signal: new AbortController().signal,
        onProgress: () => undefined,
        undo: (_, undoing) => undo.push(undoing),
        onProcesses: () => Promise.resolve(),
      },
    );
    return { cluster, end };
  } catch (error) {
    await end();
    throw error;
  }
}

export interface StartedCluster {
  /** As its administrator. */
  readonly kube: KubeClient;
  readonly end: () => Promise<void>;
}

/** The same, with a client for it. */
export async function startCluster(): Promise<StartedCluster> {
  const { cluster, end } = await provideCluster();
  try {
    const kube = await KubeClient.fromFile(cluster.kubeconfigPath, {
      clock: host.clock,
      userAgent: 'test',
    });
    return {
      kube,
      async end() {
        await end();
        await kube.close();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
