import { SimError } from '../base/errors.ts';
import type { ControllerUnderTest } from '../controllers/controller.ts';
import { exitText } from '../host/processes.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { ProcessWatch, type WatchedProcess } from '../observe/process-watch.ts';
import type { ClusterHandle } from '../runtimes/runtime.ts';
import { ControllerRestarts } from './controller-restarts.ts';
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
export function watchedController(
  session: Session,
  controller: ControllerUnderTest,
): WatchedProcess {
  const { recorder, control, request } = session;
  const { own } = controller;
  const restarts =
    request.loaded.scenario.operator.restartPolicy === 'Always'
      ? controllerRestarts(session)
      : undefined;
  return {
    component: 'controller',
    process: () => controller.process(),
    throttling: own && (() => own.throttling()),
    onExit: (ended) => {
      const exit = own?.lastExit();
      recorder.record({
        kind: 'controller',
        event: 'exited',
        pid: ended.pid,
        asked: false,
        ...(exit ? { how: exitText(exit) } : {}),
      });
      if (own && restarts) restarts.after(ended, own);
      else control.halt('the controller exited unasked');
    },
  };
}

function controllerRestarts({
  host,
  recorder,
  progress,
  control,
  undo,
}: Session): ControllerRestarts {
  const restarts = new ControllerRestarts({
    clock: host.clock,
    record: (observation) => {
      recorder.record(observation);
    },
    say: (line) => {
      progress.say(line);
    },
    halt: (why) => {
      control.halt(why);
    },
  });
  undo.push('start the controller no more', () => restarts.stop());
  return restarts;
}

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
