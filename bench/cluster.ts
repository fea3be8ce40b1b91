// A cluster for a measurement, made by the same runtime as in a run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endProcesses, processesOfRun } from '../src/sim/host/end-processes.ts';
import { realHost } from '../src/sim/host/real-host.ts';
import { kwokctlRuntime } from '../src/sim/runtimes/kwokctl.ts';
import type { ClusterHandle } from '../src/sim/runtimes/runtime.ts';

export const host = realHost(fileURLToPath(new URL('..', import.meta.url)));

/** Provides a cluster for as long as the work takes. */
export async function withCluster<T>(work: (cluster: ClusterHandle) => Promise<T>): Promise<T> {
  const runId = host.randomId();
  const workDirectory = await mkdtemp(join(tmpdir(), 'sim-bench-'));
  const undo: (() => Promise<void>)[] = [];
  try {
    const cluster = await kwokctlRuntime.provision(host, {
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
    });
    return await work(cluster);
  } finally {
    await endProcesses(host, await processesOfRun(host, runId), 5000);
    for (const undoing of undo.reverse()) await undoing();
    await rm(workDirectory, { recursive: true, force: true });
  }
}

/** Seconds that some work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = host.clock.now();
  await work();
  return (host.clock.now() - began) / 1000;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;

export const row = (name: string, values: readonly number[]): string =>
  `${name.padEnd(44)} ${[Math.min(...values), median(values), Math.max(...values)].map((v) => v.toFixed(2).padStart(8)).join('')}`;
