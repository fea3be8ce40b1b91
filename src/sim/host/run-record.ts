import { join } from 'node:path';
import * as z from 'zod';
import type { Host } from './host.ts';
import type { ProcessIdentity } from './processes.ts';
import { makeStateDirectory, stateDirectory } from './state-directory.ts';

const identity = z.object({
  pid: z.int(),
  startTicks: z.number(),
  bootId: z.string(),
  command: z.string(),
});

const recordShape = z.object({
  schema: z.literal(1),
  id: z.string(),
  startedAt: z.string(),
  /** The sim process itself: while it lives, the run is alive. */
  sim: identity,
  runDirectory: z.string(),
  /** Holds the cluster's data; goes with the run. */
  workDirectory: z.string(),
  /** `$XDG_RUNTIME_DIR` as the run had it: `sim clean` may be called under another one. */
  runtimeDirectory: z.string().optional(),
  processes: z.array(identity),
  /** Directories of control groups. */
  cgroups: z.array(z.string()).optional(),
  /** Whether the cluster was left on purpose. */
  kept: z.boolean(),
});

/** What a run has started and made, kept outside of it so that `sim clean` can end it after a kill -9. */
export type RunRecord = z.infer<typeof recordShape>;

type RecordHost = Pick<Host, 'files' | 'env' | 'processes'>;

const recordsDirectory = (host: Pick<Host, 'env'>): string => join(stateDirectory(host), 'runs');

const recordPath = (host: Pick<Host, 'env'>, id: string): string =>
  join(recordsDirectory(host), `${id}.json`);

export const workDirectoryOf = (host: Pick<Host, 'env'>, id: string): string =>
  join(stateDirectory(host), 'work', id);

/** The record of the run in progress. Written before what it names is made. */
export class RunRecordFile {
  readonly #host: RecordHost;
  #record: RunRecord;

  private constructor(host: RecordHost, record: RunRecord) {
    this.#host = host;
    this.#record = record;
  }

  static async create(
    host: RecordHost,
    run: Pick<RunRecord, 'id' | 'startedAt' | 'runDirectory'>,
  ): Promise<RunRecordFile> {
    const sim = await host.processes.identify(host.processes.own.pid);
    if (!sim) throw new RangeError('cannot identify the process of sim itself');
    const runtimeDirectory = host.env['XDG_RUNTIME_DIR'];
    const file = new RunRecordFile(host, {
      schema: 1,
      ...run,
      sim,
      workDirectory: workDirectoryOf(host, run.id),
      ...(runtimeDirectory === undefined ? {} : { runtimeDirectory }),
      processes: [],
      kept: false,
    });
    await makeStateDirectory(host, recordsDirectory(host));
    await file.#write();
    return file;
  }

  get workDirectory(): string {
    return this.#record.workDirectory;
  }

  /** Those that were started, as far as they are known; they may have ended since. */
  get processes(): readonly ProcessIdentity[] {
    return this.#record.processes;
  }

  async addProcesses(processes: readonly ProcessIdentity[]): Promise<void> {
    this.#record = { ...this.#record, processes: [...this.#record.processes, ...processes] };
    await this.#write();
  }

  /** Those that were made, or that it was tried to make. */
  get cgroups(): readonly string[] {
    return this.#record.cgroups ?? [];
  }

  async addCgroup(directory: string): Promise<void> {
    this.#record = { ...this.#record, cgroups: [...this.cgroups, directory] };
    await this.#write();
  }

  /** The cluster stays, until `sim clean`. */
  async markKept(): Promise<void> {
    this.#record = { ...this.#record, kept: true };
    await this.#write();
  }

  /** The run has left nothing behind. */
  async remove(): Promise<void> {
    await removeRecord(this.#host, this.#record.id);
  }

  async #write(): Promise<void> {
    const text = `${JSON.stringify(this.#record, null, 2)}\n`;
    await this.#host.files.writeText(recordPath(this.#host, this.#record.id), text, {
      mode: 0o600,
    });
  }
}

export const removeRecord = (host: RecordHost, id: string): Promise<void> =>
  host.files.remove(recordPath(host, id));

/** The records of runs whose sim process is no longer running. */
export async function deadRuns(host: RecordHost): Promise<readonly RunRecord[]> {
  const dead: RunRecord[] = [];
  for (const record of await allRuns(host))
    if (!(await host.processes.isRunning(record.sim))) dead.push(record);
  return dead;
}

/** The records of runs that are in progress, the youngest first. */
export async function livingRuns(host: RecordHost): Promise<readonly RunRecord[]> {
  const living: RunRecord[] = [];
  for (const record of await allRuns(host))
    if (await host.processes.isRunning(record.sim)) living.push(record);
  return living.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** A record that cannot be read is passed over: it names nothing that could be cleaned safely. */
async function allRuns(host: RecordHost): Promise<readonly RunRecord[]> {
  const names = (await host.files.list(recordsDirectory(host))).filter((name) =>
    name.endsWith('.json'),
  );
  const records = await Promise.all(
    names.map(async (name) => {
      const text = await host.files.readTextIfAny(join(recordsDirectory(host), name));
      return text === undefined ? undefined : parseRecord(text);
    }),
  );
  return records.filter((record) => record !== undefined);
}

function parseRecord(text: string): RunRecord | undefined {
  try {
    return recordShape.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
