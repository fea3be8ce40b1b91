import { RecentRate } from '../base/recent-rate.ts';
import { pause, unlessAborted } from '../base/wait.ts';
import type { Host } from '../host/host.ts';
import type { StopSignal } from '../host/signals.ts';
import { KubeClient } from '../kube/client.ts';
import type { NetworkState } from '../ledger/cluster-fold.ts';
import type { OperatorProfile } from '../model/operator-profile.ts';
import { ClusterWatch } from '../observe/cluster-watch.ts';
import { simVersion, userAgent } from './version.ts';
import { watchTable, WatchLog, type WatchView } from './watch-views.ts';
import { areComplete, progressOf, type ShownNetwork } from './watched-network.ts';

const LOOK_EVERY_MS = 250;
const RATE_OVER_MS = 10_000;
/** Somebody waits for an answer: whether the server is there is to be known soon. */
const RETRY_BUDGET_MS = 3000;

export interface WatchRequest {
  readonly kubeconfig: string;
  /** Undefined: the current one. */
  readonly context: string | undefined;
  readonly profile: OperatorProfile;
  /** Undefined: all that there are. */
  readonly network: string | undefined;
  /** Undefined: without end. */
  readonly forMs: number | undefined;
  readonly untilComplete: boolean;
  readonly asJson: boolean;
}

/** How a watch ended: everything was complete, its time was over, nobody reads any more, or it was stopped. */
export type WatchEnd = 'complete' | 'over' | 'unread' | StopSignal;

/** Shows how the networks of a cluster stand until it is to end. Reads only. Throws SIM_API. */
export async function watchCluster(host: Host, request: WatchRequest): Promise<WatchEnd> {
  const stop = new AbortController();
  const end = (why: WatchEnd): void => {
    stop.abort(why);
  };
  const forget = host.signals.onStop(end);
  if (request.forMs !== undefined)
    host.clock.sleep(request.forMs, stop.signal).then(
      () => {
        end('over');
      },
      () => undefined, // it ended before
    );
  try {
    return await follow(host, request, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return stop.signal.reason as WatchEnd; // before there was anything to show
    throw error;
  } finally {
    stop.abort();
    forget();
  }
}

async function follow(host: Host, request: WatchRequest, stop: AbortSignal): Promise<WatchEnd> {
  const { clock } = host;
  const kube = await KubeClient.fromFile(request.kubeconfig, {
    clock,
    userAgent: userAgent(await simVersion(host)),
    retryBudgetMs: RETRY_BUDGET_MS,
    context: request.context,
  });
  const view = viewFor(host, request);
  const watch: ClusterWatch = new ClusterWatch(kube, clock, request.profile.watched, (text) => {
    view.note(text, watch.now());
  });
  try {
    await unlessAborted(stop, watch.start());
    return await show(host, request, watch, view, stop);
  } finally {
    watch.stop();
    await kube.close();
  }
}

async function show(
  { clock, terminal }: Host,
  { profile, network, untilComplete }: WatchRequest,
  watch: ClusterWatch,
  view: WatchView,
  stop: AbortSignal,
): Promise<WatchEnd> {
  const rates = new RecentRate(RATE_OVER_MS);
  const withRate = (one: NetworkState): ShownNetwork => ({
    ...one,
    rate: rates.perSecond(one.network, progressOf(one, profile), watch.now()),
  });
  for (let isFirst = true; ; isFirst = false) {
    if (watch.failure) throw watch.failure;
    const networks = watch.fold
      .networks()
      .filter((one) => network === undefined || one.network === network)
      .map(withRate);
    if (isFirst && networks.length === 0)
      view.note(`no network ${network ?? ''}`.trimEnd(), watch.now());
    const isDone = untilComplete && watch.isCurrent && areComplete(networks, profile);
    view.show(networks, watch.now(), isDone || stop.aborted);
    if (isDone) return 'complete';
    if (stop.aborted) return stop.reason as WatchEnd;
    if (!terminal.isOutRead()) return 'unread';
    await pause(clock, LOOK_EVERY_MS, stop);
  }
}

const viewFor = ({ terminal }: Host, { profile, asJson }: WatchRequest): WatchView =>
  terminal.isLive && terminal.isOutLive && !asJson
    ? watchTable(terminal, profile)
    : new WatchLog(terminal, profile, { asJson });
