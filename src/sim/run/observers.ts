import { unlessAborted } from '../base/wait.ts';
import { observedResources } from '../model/core-resources.ts';
import { RUN_LABEL, SIM_NAMESPACE } from '../model/labels.ts';
import type { OperatorModel } from '../model/operator-profile.ts';
import type { Host } from '../host/host.ts';
import type { KubeClient } from '../kube/client.ts';
import { isConflict } from '../kube/api-error.ts';
import { KINDS } from '../kube/objects.ts';
import { Canary } from '../observe/canary.ts';
import type { ProcessWatch } from '../observe/process-watch.ts';
import type { Recorder } from '../observe/recorder.ts';
import { ResourceWatch } from '../observe/resource-watch.ts';
import type { UndoStack } from './undo-stack.ts';

export interface Observers {
  /** Stops watching; what was seen until then has been recorded. */
  stop(): Promise<void>;
}

/** Begins to watch everything: objects, processes, and ourselves. */
export async function startObservers(
  host: Host,
  kube: KubeClient,
  model: OperatorModel,
  recorder: Recorder,
  options: {
    readonly runId: string;
    readonly processes: ProcessWatch;
    readonly undo: UndoStack;
    readonly signal: AbortSignal;
  },
): Promise<Observers> {
  const labels = { [RUN_LABEL]: options.runId };
  const loopDelay = host.startLoopDelay();
  const canary = new Canary(kube, host.clock, recorder, loopDelay, options.runId);
  const { processes } = options;
  const watches = observedResources(model.resources).map(
    (resource) => new ResourceWatch(kube, host.clock, resource, recorder),
  );
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopped ??= (async () => {
      for (const watch of watches) watch.stop();
      await Promise.all([canary.stop(), processes.stop()]);
      loopDelay.stop();
    })());
  options.undo.push('stop watching', stop);
  processes.startSampling();
  const started = [canary.start(labels), ...watches.map((watch) => watch.start())];
  await unlessAborted(options.signal, Promise.all(started));
  return { stop };
}

/** The namespace for sim's own objects. */
export async function makeOwnNamespace(
  kube: KubeClient,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  const labels = { [RUN_LABEL]: runId };
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: SIM_NAMESPACE, labels },
  };
  try {
    await kube.create(KINDS.namespace, namespace, { name: SIM_NAMESPACE, signal });
  } catch (error) {
    if (!isConflict(error)) throw error; // another run made it
  }
}
