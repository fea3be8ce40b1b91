import { SimError } from '../base/errors.ts';
import type { WatchedProcess } from '../observe/process-watch.ts';
import type { ClusterHandle } from '../runtimes/runtime.ts';
import type { Session } from './session.ts';
import type { RunningOperator } from './start-operator.ts';

const LOG_TAIL = 12;

interface Part {
  readonly name: string;
  readonly process: WatchedProcess['process'];
  readonly logTail: () => Promise<readonly string[]>;
}

/** The controller under test may end: that is a verdict. Any other part of the run may not: that is an error. */
export function watchedProcesses(
  { recorder, control }: Session,
  cluster: ClusterHandle,
  { controller, fleet }: RunningOperator,
): readonly WatchedProcess[] {
  const underTest: WatchedProcess = {
    component: 'controller',
    process: () => controller.process(),
    onExit: ({ pid }) => {
      recorder.record({ kind: 'controller', event: 'exited', pid, asked: false });
      control.halt('the controller exited unasked');
    },
  };
  const parts = partsOf(cluster, controller.process()?.pid);
  if (fleet)
    parts.push({
      name: 'fleet',
      process: () => fleet.process(),
      logTail: () => fleet.logTail(LOG_TAIL),
    });
  return [
    underTest,
    ...parts.map(({ name, process, logTail }): WatchedProcess => ({
      component: name,
      process,
      onExit: ({ pid }) => {
        recorder.record({ kind: 'component', event: 'exited', component: name, pid });
        void logTail().then((details) => {
          control.fail(
            new SimError('SIM_CLUSTER_LOST', `${name} (pid ${pid}) of the cluster has ended`, {
              details,
            }),
          );
        });
      },
    })),
  ];
}

const partsOf = (cluster: ClusterHandle, controllerPid: number | undefined): Part[] =>
  cluster
    .components()
    .filter(({ process }) => process.pid !== controllerPid)
    .map(({ name, process }) => ({
      name,
      process: () => process,
      logTail: () => cluster.logTail(name, LOG_TAIL),
    }));
