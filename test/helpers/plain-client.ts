import type { Clock } from '../../src/sim/base/clock.ts';
import { realClock } from '../../src/sim/host/real-clock.ts';
import { KubeClient } from '../../src/sim/kube/client.ts';
import { Transport, type TransportOptions } from '../../src/sim/kube/transport.ts';

/** A client of a fake server over plain HTTP, without a kubeconfig and without credentials. */
export function plainClient(
  url: string,
  options: {
    readonly clock?: Clock;
    readonly connections?: number;
    readonly onAnswer?: TransportOptions['onAnswer'];
    readonly timeoutMs?: number;
    readonly retryBudgetMs?: number;
  } = {},
): KubeClient {
  const { clock = realClock, retryBudgetMs, ...transport } = options;
  const access = {
    origin: new URL(url).origin,
    basePath: '',
    proxyUrl: undefined,
    tls: {},
    authHeaders: () => Promise.resolve({}),
  };
  const userAgent = 'cni-sim/test';
  return new KubeClient(new Transport(access, { userAgent, ...transport }), {
    clock,
    userAgent,
    ...(retryBudgetMs === undefined ? {} : { retryBudgetMs }),
  });
}
