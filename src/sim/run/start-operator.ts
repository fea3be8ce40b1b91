import { join } from 'node:path';
import { SimError } from '../base/errors.ts';
import type { ControllerUnderTest } from '../controllers/controller.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { makeSocketPath, removeSocketDirectory } from '../fleet/socket-path.ts';
import { startFleet } from '../fleet/start-fleet.ts';
import type { KubeClient } from '../kube/client.ts';
import { clusterAddress, kubeconfigText, makeIdentity } from '../kube/service-account.ts';
import { SIM_NAMESPACE } from '../model/labels.ts';
import type { DaemonPlan } from '../model/operator-profile.ts';
import { DRIVERS } from '../operators/drivers.ts';
import type { DriverContext } from '../operators/driver.ts';
import type { ProcessWatch } from '../observe/process-watch.ts';
import type { ClusterHandle } from '../runtimes/runtime.ts';
import type { Session } from './session.ts';
import { watchedController, watchedFleet } from './watched-processes.ts';

export interface RunningOperator {
  readonly controller: ControllerUnderTest;
  /** Undefined for operators that dial nobody. */
  readonly daemons: RunningDaemons | undefined;
}

export interface RunningDaemons {
  readonly fleet: Fleet;
  readonly socketPath: string;
  /** With which they, and those who ask them for addresses, reach the API server. */
  readonly kubeconfigPath: string;
}

/** Installs the operator, starts its daemons and then its controller. Each is watched as soon as it runs. */
export async function startOperator(
  session: Session,
  cluster: ClusterHandle,
  kube: KubeClient,
  agent: string,
  processes: ProcessWatch,
): Promise<RunningOperator> {
  const { request, progress } = session;
  const { profile, scenario } = request.loaded;
  const driver = DRIVERS.find((candidate) => candidate.profile === profile.name);
  if (!driver) throw new SimError('SIM_BUG', `there is no driver for profile ${profile.name}`);
  const context: DriverContext = {
    host: session.host,
    kube,
    adminKubeconfig: cluster.kubeconfigPath,
    runId: session.id,
    runDirectory: session.directory.path,
    workDirectory: session.runRecord.workDirectory,
    userAgent: agent,
    seed: scenario.seed,
    group: session.controllerGroup,
    signal: session.control.signal,
    onProgress: (line) => {
      progress.say(line);
    },
    onProcess: (process) => session.runRecord.addProcesses([process]),
    cluster,
    controller: scenario.operator.controller,
    networks: scenario.networks,
    options: scenario.operator,
  };
  await driver.install(context);
  const daemons = request.model.daemons
    ? await startDaemons(session, cluster, kube, request.model.daemons)
    : undefined;
  if (daemons) processes.add([watchedFleet(session, daemons.fleet)]);
  const controller = await driver.startController(context);
  processes.add([watchedController(session, controller)]);
  return { controller, daemons };
}

async function startDaemons(
  { host, id, request, control, directory, runRecord, undo, recorder }: Session,
  cluster: ClusterHandle,
  kube: KubeClient,
  { port, mutant }: DaemonPlan,
): Promise<RunningDaemons> {
  const { signal } = control;
  const token = await makeIdentity(kube, {
    namespace: SIM_NAMESPACE,
    name: 'sim-fleet',
    runId: id,
    signal,
  });
  const address = await clusterAddress(host, cluster.kubeconfigPath);
  const kubeconfigPath = join(runRecord.workDirectory, 'fleet.kubeconfig');
  await host.files.writeText(kubeconfigPath, kubeconfigText(address, token, SIM_NAMESPACE), {
    mode: 0o600,
  });
  undo.push('remove the socket of the daemon fleet', () => removeSocketDirectory(host, id));
  const socketPath = await makeSocketPath(host, id);
  await host.files.makeDirectory(directory.logs);
  const logFile = join(directory.logs, 'fleet.log');
  const fleet = await startFleet(host, {
    runId: id,
    socketPath,
    kubeconfigPath,
    port,
    mutant: mutant === undefined ? undefined : { name: mutant, seed: request.loaded.scenario.seed },
    logFile,
    signal,
  });
  undo.push('end the daemon fleet', () => fleet.stop());
  await runRecord.addProcesses([fleet.process()]);
  fleet.calls({
    onCall: ({ seq: _, atMs, ...call }) => {
      recorder.record({ kind: 'call', ...call }, atMs + call.durationMs);
    },
    onHole: ({ reason, fromSeq, toSeq }) => {
      recorder.record({
        kind: 'gap',
        resource: 'calls',
        reason: `calls ${fromSeq} to ${toSeq} are not known: ${reason}`,
        fromMs: recorder.now(),
      });
    },
  });
  return { fleet, socketPath, kubeconfigPath };
}
