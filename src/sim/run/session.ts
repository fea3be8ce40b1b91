import { resolve } from 'node:path';
import { asSimError, SimError } from '../base/errors.ts';
import type { ControllerGroup } from '../controllers/limited.ts';
import { endRun, wouldNotEnd } from '../host/end-processes.ts';
import { removeCgroups } from '../host/remove-cgroups.ts';
import type { AppendFile } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { RunRecordFile } from '../host/run-record.ts';
import { readManifest, type ManifestObject } from '../kube/manifest-file.ts';
import { RunFold } from '../ledger/run-fold.ts';
import type { OperatorModel } from '../model/operator-profile.ts';
import type { Plan } from '../model/plan.ts';
import { Recorder } from '../observe/recorder.ts';
import type { LoadedScenario } from '../scenario/load.ts';
import { Progress } from './progress.ts';
import { RunControl } from './run-control.ts';
import { makeRunDirectory, type RunDirectory } from './run-directory.ts';
import { UndoStack } from './undo-stack.ts';

const END_TIMEOUT_MS = 5000;

export interface RunRequest {
  readonly loaded: LoadedScenario;
  readonly plan: Plan;
  readonly model: OperatorModel;
  /** The scenario's file, as given. */
  readonly path: string;
  readonly runtime: string | undefined;
  readonly output: string | undefined;
  readonly quiet: boolean;
  /** When the cluster is left as it is after the run. */
  readonly keepCluster: 'never' | 'on-failure' | 'always';
}

/** Everything that one run holds in its hands. */
export interface Session {
  readonly host: Host;
  readonly request: RunRequest;
  readonly id: string;
  readonly startedAt: string;
  readonly directory: RunDirectory;
  readonly runRecord: RunRecordFile;
  readonly control: RunControl;
  readonly progress: Progress;
  readonly recorder: Recorder;
  /** Undone at the end of every run. */
  readonly undo: UndoStack;
  /** The cluster and what belongs to it: undone unless the cluster is to be kept. */
  readonly undoCluster: UndoStack;
  /** What the steps apply and delete, by the paths that the scenario names. */
  readonly manifests: ReadonlyMap<string, readonly ManifestObject[]>;
  /** Holds the controller to its limits, where it has any. */
  controllerGroup: ControllerGroup | undefined;
  /** Copies what explains a failure into the run directory, as far as there is anything yet. */
  evidence: (() => Promise<void>) | undefined;
  /** How to reach the cluster, once there is one. */
  kubeconfig: string | undefined;
}

/** Makes the places of a run. Throws SIM_MANIFEST, SIM_OUTPUT or SIM_RECORDING_WRITE, and then leaves nothing behind. */
export async function openSession(host: Host, request: RunRequest): Promise<Session> {
  const manifests = await readManifests(host, request.plan);
  const id = host.randomId();
  const startedAt = new Date(host.clock.wallMs()).toISOString();
  const { name } = request.loaded.scenario;
  const directory = await makeRunDirectory(host, { id, scenario: name, startedAt }, request.output);
  const file = await openHistory(host, directory, request.plan);
  const undoCluster = new UndoStack(host.clock);
  const runRecord = await RunRecordFile.create(host, {
    id,
    startedAt,
    runDirectory: directory.path,
  });
  undoCluster.push('remove the work directory', () => host.files.remove(runRecord.workDirectory));
  undoCluster.push('remove the control groups', () =>
    removeCgroups(host, { id, directories: runRecord.cgroups }, END_TIMEOUT_MS),
  );
  undoCluster.push('end the processes of the run', () => endProcesses(host, id, runRecord));
  const control = new RunControl();
  const recorder = new Recorder({
    clock: host.clock,
    file,
    fold: new RunFold(request.plan, request.model),
    zero: host.clock.now(),
    onFailure: (error) => {
      control.fail(error);
    },
  });
  return {
    host,
    request,
    id,
    startedAt,
    directory,
    runRecord,
    control,
    recorder,
    undoCluster,
    manifests,
    undo: new UndoStack(host.clock),
    progress: new Progress(host.terminal, host.clock, { quiet: request.quiet }),
    controllerGroup: undefined,
    evidence: undefined,
    kubeconfig: undefined,
  };
}

async function readManifests(host: Host, { steps }: Plan): Promise<Session['manifests']> {
  const paths = steps.flatMap(({ actions }) =>
    actions.flatMap((action) => ('manifest' in action ? [action.manifest] : [])),
  );
  const read = new Map<string, readonly ManifestObject[]>();
  for (const path of new Set(paths))
    read.set(path, await readManifest(host, resolve(host.cwd, path)));
  return read;
}

/** The cluster's and the controller's, which need not pass their environment on. */
async function endProcesses(host: Host, id: string, { processes }: RunRecordFile): Promise<void> {
  const run = { id, processes, leaders: processes };
  const { left } = await endRun(host, run, END_TIMEOUT_MS);
  if (left.length > 0) throw new SimError('SIM_CLEAN', wouldNotEnd(left));
}

async function openHistory(host: Host, directory: RunDirectory, plan: Plan): Promise<AppendFile> {
  try {
    await host.files.writeText(directory.plan, `${JSON.stringify(plan, null, 2)}\n`);
    return await host.files.openAppend(directory.history);
  } catch (error) {
    throw asSimError(error, 'SIM_RECORDING_WRITE', `cannot write to ${directory.path}`);
  }
}
