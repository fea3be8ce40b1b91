import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcesses, processesOfRun } from '../../src/sim/host/end-processes.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import { KubeClient } from '../../src/sim/kube/client.ts';
import { kwokctlRuntime } from '../../src/sim/runtimes/kwokctl.ts';
import { ROOT } from './sim-process.ts';

export interface StartedCluster {
  /** As its administrator. */
  readonly kube: KubeClient;
  /** Ends its processes and removes everything it wrote. */
  end(): Promise<void>;
}

export const host = realHost(ROOT);

/** A cluster made by the same runtime as in a run, with locks of its own. */
export async function startCluster(): Promise<StartedCluster> {
  const runId = host.randomId();
  const workDirectory = await mkdtemp(join(tmpdir(), 'sim-cluster-'));
  const undo: (() => Promise<void>)[] = [];
  const end = async (): Promise<void> => {
    await endProcesses(host, await processesOfRun(host, runId), 5000);
    for (const undoing of undo.splice(0).reverse()) await undoing();
    await rm(workDirectory, { recursive: true, force: true });
  };
  try {
    const { kubeconfigPath } = await kwokctlRuntime.provision(
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
    const kube = await KubeClient.fromFile(kubeconfigPath, {
      clock: host.clock,
      userAgent: 'test',
    });
    undo.push(() => kube.close());
    return { kube, end };
  } catch (error) {
    await end();
    throw error;
  }
}
