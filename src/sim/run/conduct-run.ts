import { join } from 'node:path';
import type { ControllerUnderTest } from '../controllers/controller.ts';
import { makeControllerGroup } from '../controllers/limited.ts';
import { obtainController } from '../controllers/prepare-controller.ts';
import { runCniStub } from '../fleet/cni-stub.ts';
import { controlSocketOf } from '../fleet/socket-path.ts';
import { KubeClient } from '../kube/client.ts';
import { observedResources } from '../model/core-resources.ts';
import { readAuditLogs, type StepWindow } from '../observe/audit-log.ts';
import { recordFinalLists } from '../observe/final-list.ts';
import { goalWatch } from '../observe/goal-watch.ts';
import type { ProcessWatch } from '../observe/process-watch.ts';
import type { ClusterHandle } from '../runtimes/runtime.ts';
import { selectRuntime } from '../runtimes/select.ts';
import type { RunContext } from '../steps/context.ts';
import { DaemonPods } from '../steps/daemon-pods.ts';
import { Daemons } from '../steps/daemons.ts';
import { FakeNodes } from '../steps/fake-nodes.ts';
import { startPodNudge } from '../steps/pod-nudge.ts';
import { startLiveControl } from './live-control.ts';
import { runSteps } from './run-steps.ts';
import { makeOwnNamespace, startObservers } from './observers.ts';
import { startOperator, type RunningOperator } from './start-operator.ts';
import { watchMetrics } from './watched-metrics.ts';
import { watchCluster } from './watched-processes.ts';
import type { Session } from './session.ts';
import { takeNodeNetwork } from './node-network.ts';
import { simVersion, userAgent } from './version.ts';

/** The order of a run: programs, cluster, operator, observers, steps, final lists. Rejects when the run cannot go on. */
export async function conductRun(session: Session): Promise<void> {
  await prepareController(session);
  const cluster = await provision(session);
  const processes = watchCluster(session, cluster);
  try {
    await conductIn(cluster, session, processes);
  } finally {
    await processes.stop(); // before anything is ended on purpose
  }
}

async function conductIn(
  cluster: ClusterHandle,
  session: Session,
  processes: ProcessWatch,
): Promise<void> {
  const { host, control, recorder, request, undo } = session;
  const agent = userAgent(await simVersion(host));
  const kube = await KubeClient.fromFile(cluster.kubeconfigPath, {
    clock: host.clock,
    userAgent: agent,
  });
  undo.push('close the connections to the API server', () => kube.close());
  await makeOwnNamespace(kube, session.id, control.signal);
  const nodes = await takeNodeNetwork(host);
  undo.push('give the loopback network back', () => nodes.release());
  const operator = await startOperator(session, cluster, kube, agent, processes);
  recordEnvironment(session, cluster, operator.controller, nodes.cidr);
  const observers = await startObservers(host, kube, request.model, recorder, {
    runId: session.id,
    processes,
    undo,
    signal: control.signal,
  });
  const metrics = await watchMetrics(session, operator.controller);
  const stopNudging = startPodNudge({
    kube,
    clock: host.clock,
    pods: recorder.fold.facts,
    record: (observation) => {
      recorder.record(observation);
    },
  });
  undo.push('stop looking for overlooked pods', stopNudging);
  const context = await runContext(session, cluster, kube, operator, nodes.cidr);
  await takeLiveFaults(session, operator, context);
  await runSteps(session, context, async () => metrics?.sample());
  await metrics?.stop();
  await stopNudging();
  control.signal.throwIfAborted();
  await operator.daemons?.fleet.caughtUp(control.signal);
  const resources = observedResources(request.model.resources);
  await recordFinalLists(kube, host.clock, resources, recorder, control.signal);
  await observers.stop();
  await recordApiCost(session, cluster);
}

function recordEnvironment(
  { recorder, progress }: Session,
  cluster: ClusterHandle,
  controller: ControllerUnderTest,
  nodeNetwork: string,
): void {
  const { description } = controller;
  recorder.record({
    kind: 'environment',
    versions: { ...cluster.versions, ...controller.versions },
    nodeNetwork,
    controller: { ...description, command: mutable(description.command) },
  });
  const process = controller.process();
  recorder.record({ kind: 'controller', event: 'ready', ...(process ? { pid: process.pid } : {}) });
  progress.say(`controller ready: ${description.kind}`);
}

async function runContext(
  { host, id, request, recorder, control, manifests }: Session,
  cluster: ClusterHandle,
  kube: KubeClient,
  { controller, daemons }: RunningOperator,
  network: string,
): Promise<RunContext> {
  const { nodes, seed } = request.loaded.scenario;
  const plan = request.model.daemons;
  return {
    runId: id,
    seed,
    clock: host.clock,
    kube,
    cluster,
    fakeNodes: await FakeNodes.load(host, { runId: id, network, ...nodes }),
    daemons: daemons && plan && new Daemons(daemons.fleet, plan, network, host.clock),
    daemonPods: plan && new DaemonPods(kube, plan.pods),
    cni:
      daemons &&
      (async (addressPlan, onResult, signal) => {
        await runCniStub(host, {
          plan: addressPlan,
          kubeconfigPath: daemons.kubeconfigPath,
          runId: id,
          signal,
          onResult,
        });
      }),
    manifests,
    controller,
    observer: goalWatch(recorder, host.clock),
    record: (observation, happenedAtMs) => {
      recorder.record(observation, happenedAtMs);
    },
    sync: () => recorder.sync(),
    signal: control.stepSignal,
  };
}

/** `sim fault` reaches a run as long as its steps are in progress. */
async function takeLiveFaults(
  { host, undo, progress }: Session,
  { daemons }: RunningOperator,
  context: RunContext,
): Promise<void> {
  if (!daemons) return;
  const stop = await startLiveControl({
    socketPath: controlSocketOf(daemons.socketPath),
    clock: host.clock,
    tools: context,
    signal: context.signal,
    say: (line) => {
      progress.say(line);
    },
  });
  undo.push('take no more faults', stop);
}

/** Before the cluster, which a program or a limit that cannot be had would leave without work. */
async function prepareController(session: Session): Promise<void> {
  const { host, id, request, control, progress, runRecord } = session;
  const { controller, limits } = request.loaded.scenario.operator;
  if (limits)
    session.controllerGroup = await makeControllerGroup(host, id, limits, (directory) =>
      runRecord.addCgroup(directory),
    );
  await obtainController(host, controller, {
    signal: control.signal,
    onProgress: (line) => {
      progress.say(line);
    },
  });
}

async function provision(session: Session): Promise<ClusterHandle> {
  const { host, request, control, runRecord, undoCluster, progress } = session;
  const { cluster } = request.loaded.scenario;
  const runtime = await selectRuntime(host, request.runtime ?? cluster.runtime);
  progress.say(`cluster: ${runtime.name}, preset ${cluster.preset}`);
  await host.files.makeDirectory(runRecord.workDirectory, { mode: 0o700 });
  const handle = await runtime.provision(host, {
    runId: session.id,
    workDirectory: runRecord.workDirectory,
    preset: cluster.preset,
    auditLog: cluster.auditLog,
    kubernetes: cluster.kubernetes,
    clusterArguments: request.model.clusterArguments,
    signal: control.signal,
    onProgress: (line) => {
      progress.say(line);
    },
    undo: (title, work) => {
      undoCluster.push(title, work);
    },
    onProcesses: (processes) => runRecord.addProcesses(processes),
  });
  session.kubeconfig = handle.kubeconfigPath;
  session.evidence = () => handle.collectLogs(join(session.directory.logs, 'cluster'));
  return handle;
}

async function recordApiCost({ host, recorder }: Session, cluster: ClusterHandle): Promise<void> {
  const logs = await cluster.auditLogs();
  if (logs.length === 0) return;
  const windows = recorder.fold
    .result()
    .steps.flatMap(({ plan, wallMs }): StepWindow[] =>
      wallMs ? [{ step: plan.name, beginWallMs: wallMs.begin, endWallMs: wallMs.end }] : [],
    );
  for (const entry of await readAuditLogs(host, logs, windows)) recorder.record(entry);
}

const mutable = (command: readonly string[] | null): string[] | null =>
  command ? [...command] : null;
