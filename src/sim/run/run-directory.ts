import { basename, join, resolve } from 'node:path';
import { asSimError, reasonOf, SimError, systemCodeOf } from '../base/errors.ts';
import type { Host } from '../host/host.ts';

/** The files of a run directory. */
export interface RunDirectory {
  readonly path: string;
  readonly history: string;
  readonly plan: string;
  readonly report: string;
  readonly summary: string;
  readonly logs: string;
  /** A lane's artifact directory, for copies of what its page shows; undefined elsewhere. */
  readonly artifacts: string | undefined;
}

export const runDirectoryAt = (path: string, artifacts?: string): RunDirectory => ({
  path,
  history: join(path, 'history.jsonl'),
  plan: join(path, 'plan.json'),
  report: join(path, 'report.json'),
  summary: join(path, 'summary.md'),
  logs: join(path, 'logs'),
  artifacts,
});

export interface RunName {
  readonly id: string;
  readonly scenario: string;
  readonly startedAt: string;
}

/**
 * Makes the run directory: `runs/<time>-<scenario>-<id>`, the directory that `--output` names, or one below Prow's
 * `$ARTIFACTS`. Throws SIM_OUTPUT when it holds something that is not ours, SIM_RECORDING_WRITE when it cannot be made.
 */
export async function makeRunDirectory(
  host: Pick<Host, 'files' | 'cwd' | 'env'>,
  name: RunName,
  output: string | undefined,
): Promise<RunDirectory> {
  const folder = `${name.startedAt.slice(0, 19).replaceAll(':', '-')}-${name.scenario}-${name.id}`;
  const artifacts = host.env['PROW_JOB_ID'] === undefined ? undefined : host.env['ARTIFACTS'];
  const path =
    output !== undefined
      ? resolve(host.cwd, output)
      : join(artifacts ?? join(host.cwd, 'runs'), folder);
  const directory = runDirectoryAt(path, output === undefined ? artifacts : undefined);
  try {
    if (output !== undefined) await clearOurs(host, directory);
    await host.files.makeDirectory(directory.path);
  } catch (error) {
    throw asSimError(error, 'SIM_RECORDING_WRITE', `cannot make the run directory ${path}`);
  }
  return directory;
}

const PROBE_BYTES = 4096;
const ROOM_HINT = 'free some space, or choose another place with --output';
const GONE_HINT =
  'nothing may remove or move a run directory while its run goes on; choose another place with --output';

/** Undefined when a run directory is there and has room; else SIM_RECORDING_WRITE. Finds out by writing. */
export async function whyNotWritable(
  { files }: Pick<Host, 'files'>,
  { path, history }: RunDirectory,
): Promise<SimError | undefined> {
  const probe = join(path, '.room');
  try {
    if (!(await files.stat(history)))
      return new SimError('SIM_RECORDING_WRITE', `the recording ${history} has been removed`, {
        hint: GONE_HINT,
      });
    await files.writeText(probe, ' '.repeat(PROBE_BYTES));
    await files.remove(probe);
    return undefined;
  } catch (error) {
    return cannotWrite(`to the run directory ${path}`, error);
  }
}

/** SIM_RECORDING_WRITE for what was to be written into a run directory. */
export const cannotWrite = (what: string, error: unknown): SimError =>
  new SimError('SIM_RECORDING_WRITE', `cannot write ${what}: ${reasonOf(error)}`, {
    cause: error,
    hint: systemCodeOf(error) === 'ENOENT' ? GONE_HINT : ROOM_HINT,
  });

/** A directory of an earlier run is used again; anything else that is not empty is left alone. */
async function clearOurs({ files }: Pick<Host, 'files'>, directory: RunDirectory): Promise<void> {
  const names = await files.list(directory.path);
  if (names.length === 0) return;
  if (!names.includes(basename(directory.report)))
    throw new SimError('SIM_OUTPUT', `${directory.path} is not empty and holds no report of sim`, {
      hint: 'name a new directory with --output, or empty that one yourself',
    });
  for (const path of [
    directory.history,
    directory.plan,
    directory.report,
    directory.summary,
    directory.logs,
  ])
    await files.remove(path);
}
