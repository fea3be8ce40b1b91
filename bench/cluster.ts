// A cluster for a measurement, made by the same runtime as in a run.
import type { ClusterHandle } from '../src/sim/runtimes/runtime.ts';
import { host, provideCluster } from '../test/helpers/cluster.ts';

export { host };

/** Provides a cluster for as long as the work takes. */
export async function withCluster<T>(work: (cluster: ClusterHandle) => Promise<T>): Promise<T> {
  const { cluster, end } = await provideCluster();
  try {
    return await work(cluster);
  } finally {
    await end();
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
