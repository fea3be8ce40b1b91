import { createHash } from 'node:crypto';
import type { ObservationOf } from '../model/history.ts';
import { HISTORY_SCHEMA } from '../model/history.ts';
import type { Session } from './session.ts';
import { simVersion } from './version.ts';

/** The first line of the recording: enough to plan and judge again without anything else. */
export async function headerOf({
  host,
  request,
  id,
  startedAt,
}: Session): Promise<ObservationOf<'header'>> {
  const { scenario, source } = request.loaded;
  const { os, kernel, arch, cpuModel, cpus, memoryBytes, nodeVersion } = host.platform;
  return {
    kind: 'header',
    schema: HISTORY_SCHEMA,
    simVersion: await simVersion(host),
    run: { id, startedAt },
    seed: scenario.seed,
    scenario: {
      name: scenario.name,
      path: request.path,
      sha256: createHash('sha256').update(JSON.stringify(source)).digest('hex'),
      source,
    },
    runtime: {
      name: request.runtime ?? scenario.cluster.runtime ?? 'kwokctl',
      preset: scenario.cluster.preset,
    },
    machine: { os, kernel, arch, cpuModel, cpus, memoryBytes, nodeVersion },
  };
}
