import { SimError } from '../base/errors.ts';
import type { ControllerUnderTest } from '../controllers/controller.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { ProcessWatch, type WatchedProcess } from '../observe/process-watch.ts';
import type { ClusterHandle } from '../runtimes/runtime.ts';
import type { Session } from './session.ts';

const LOG_TAIL = 12;
const HINT = 'if nobody ended it, `dmesg` says whether the kernel did, for want of memory';

interface Part {
  readonly name: string;
  readonly process: WatchedProcess['process'];
  readonly logTail: () => Promise<readonly string[]>;
}

/** Watches the parts of the cluster from the moment it is there: whoever waits for one in vain shall be told. */
export function watchCluster(session: Session, cluster: ClusterHandle): ProcessWatch {
  const watch = new ProcessWatch(session.host, session.recorder);
  const names = cluster.components().map(({ name }) => name);
  watch.add(
    names.map((name) =>
      watchedPart(session, {
        name,
        process: () => cluster.components().find((one) => one.name === name)?.process,
        logTail: () => cluster.logTail(name, LOG_TAIL),
      }),
    ),
  );
  watch.start();
  return watch;
}

export const watchedFleet = (session: Session, fleet: Fleet): WatchedProcess =>
  watchedPart(session, {
    name: 'fleet',
    process: () => fleet.process(),
    logTail: () => fleet.logTail(LOG_TAIL),
  });

/** The controller under test may end: that is a verdict. Any other part of the run may not: that is an error. */
export const watchedController = (
  { recorder, control }: Session,
  controller: ControllerUnderTest,
): WatchedProcess => ({
  component: 'controller',
  process: () => controller.process(),
  onExit: ({ pid }) => {
    recorder.record({ kind: 'controller', event: 'exited', pid, asked: false });
    control.halt('the controller exited unasked');
  },
});

const watchedPart = (
  { recorder, control }: Session,
  { name, process, logTail }: Part,
): WatchedProcess => ({
  component: name,
  process,
  onExit: ({ pid }) => {
    recorder.record({ kind: 'component', event: 'exited', component: name, pid });
    const lost = (details: readonly string[]): void => {
      const what = `${name} (pid ${pid}) of the cluster has ended`;
      control.fail(new SimError('SIM_CLUSTER_LOST', what, { details, hint: HINT }));
    };
    void logTail().then(lost, () => {
      lost([]);
    });
  },
});
