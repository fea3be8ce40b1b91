import { KubeClient } from '../../sim/kube/client.ts';
import { monotonicClock } from '../monotonic-clock.ts';
import { runProgram } from '../program.ts';
import { Controller } from './controller.ts';
import { serveMetrics } from './metrics-server.ts';
import { controllerMetrics } from './metrics.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { RequestCounts } from './request-counts.ts';

const log = (line: string): void => {
  process.stdout.write(`${new Date(monotonicClock.wallMs()).toISOString()} ${line}\n`);
};

async function run(options: Options): Promise<void> {
  const requests = new RequestCounts();
  const kube = await KubeClient.fromFile(options.kubeconfig, {
    clock: monotonicClock,
    onAnswer: (method, status) => {
      requests.count(method, status);
    },
    userAgent: 'sim-reference-controller',
  });
  const crash = (): void => process.exit(1);
  const controller = new Controller({ ...options, kube, clock: monotonicClock, crash, log });
  const stopping = new AbortController();
  const stop = (): void => {
    stopping.abort();
    void controller.stop();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  try {
    if (options.metricsPort !== undefined)
      await offerMetrics(options.metricsPort, controller, requests);
    await controller.start();
    log('ready');
    await controller.run();
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  }
  await kube.close();
  process.exit(0);
}

/** Whoever started it reads where its metrics are in its log. */
async function offerMetrics(
  port: number,
  { queues }: Controller,
  requests: RequestCounts,
): Promise<void> {
  const { url } = await serveMetrics(port, () => controllerMetrics(queues, requests));
  log(`metrics of process ${process.pid}: ${url}`);
}

await runProgram({ name: 'controller', usage: USAGE, parseOptions, run });
