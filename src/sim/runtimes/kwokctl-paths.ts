import { join } from 'node:path';
import type { Host } from '../host/host.ts';
import { RUN_VARIABLE } from '../model/labels.ts';

const CLUSTER = 'sim';

/** Where kwokctl keeps what, below the run's own work directory. */
export interface KwokctlPaths {
  readonly cluster: string;
  readonly workdir: string;
  readonly config: string;
  readonly auditPolicy: string;
  readonly shimDirectory: string;
  /** kwokctl merges a context into this file; the user's own kubeconfig is never touched. */
  readonly mergedKubeconfig: string;
  readonly kubeconfig: string;
  readonly pids: string;
  readonly logs: string;
  readonly pki: string;
  readonly home: string;
}

export function kwokctlPaths(workDirectory: string): KwokctlPaths {
  const workdir = join(workDirectory, 'kwok');
  const clusterDirectory = join(workdir, 'clusters', CLUSTER);
  return {
    cluster: CLUSTER,
    workdir,
    config: join(workDirectory, 'kwokctl.yaml'),
    auditPolicy: join(workDirectory, 'audit-policy.yaml'),
    shimDirectory: join(workDirectory, 'bin'),
    mergedKubeconfig: join(workDirectory, 'kubeconfig'),
    kubeconfig: join(clusterDirectory, 'kubeconfig.yaml'),
    pids: join(clusterDirectory, 'pids'),
    logs: join(clusterDirectory, 'logs'),
    pki: join(clusterDirectory, 'pki'),
    home: workDirectory,
  };
}

/** Nothing of the user's own settings (KWOK_*, ~/.kwok, ~/.kube) may change the cluster. */
export const kwokctlEnvironment = (
  host: Pick<Host, 'env'>,
  paths: KwokctlPaths,
  runId: string,
): Readonly<Record<string, string>> => ({
  PATH: `${paths.shimDirectory}:${host.env['PATH'] ?? '/usr/bin:/bin'}`,
  HOME: paths.home,
  KWOK_WORKDIR: paths.workdir,
  [RUN_VARIABLE]: runId,
});
