import type { ObservationOf } from '../../src/sim/model/history.ts';
import type { Planned } from './planned-scenario.ts';

/** The first line of a recording made by hand. */
export const headerFor = ({ source, scenario }: Planned): ObservationOf<'header'> => ({
  kind: 'header',
  schema: 1,
  simVersion: '0.0.0-test',
  run: { id: 'r1', startedAt: '2026-11-30T12:00:00.000Z' },
  seed: scenario.seed,
  scenario: { name: scenario.name, path: 'test.yaml', sha256: '0'.repeat(64), source },
  runtime: { name: 'kwokctl', preset: 'realistic' },
  machine: {
    os: 'linux',
    kernel: '6.1',
    arch: 'x64',
    cpuModel: 'Test CPU',
    cpus: 2,
    memoryBytes: 24 * 2 ** 30,
    nodeVersion: 'v20.19.0',
  },
});

/** What is known once the cluster is up. */
export const environment: ObservationOf<'environment'> = {
  kind: 'environment',
  versions: { kubernetes: 'v1.36.1' },
  nodeNetwork: '127.64.0.0/16',
  controller: {
    kind: 'cluster',
    reference: false,
    command: null,
    identity: 'kube-controller-manager',
    flowSchema: 'exempt',
  },
};
