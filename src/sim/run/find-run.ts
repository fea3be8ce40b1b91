import { resolve } from 'node:path';
import { SimError } from '../base/errors.ts';
import { findControlSocket } from '../fleet/socket-path.ts';
import type { Host } from '../host/host.ts';
import { livingRuns, type RunRecord } from '../host/run-record.ts';

/** The socket of a run in progress, named by its id, the beginning of it, or its directory. Throws SIM_USAGE. */
export async function controlSocketOfRun(host: Host, named: string): Promise<string> {
  const runs = await livingRuns(host);
  const found = runs.filter(
    ({ id, runDirectory }) => id.startsWith(named) || runDirectory === resolve(host.cwd, named),
  );
  const [run] = found;
  if (!run || found.length > 1)
    throw new SimError(
      'SIM_USAGE',
      run ? `more than one run begins with ${named}` : `no run in progress is called ${named}`,
      { hint: hintOf(runs) },
    );
  const socket = await findControlSocket(host, run.id, run.runtimeDirectory);
  if (socket === undefined)
    throw new SimError(
      'SIM_USAGE',
      `run ${run.id} takes no faults: its operator has no daemons, or they have not been started yet`,
    );
  return socket;
}

const hintOf = (runs: readonly RunRecord[]): string =>
  runs.length === 0
    ? 'there is no run in progress'
    : `in progress: ${runs.map(({ id, runDirectory }) => `${id} (${runDirectory})`).join(', ')}`;
