import { KubeClient } from '../../sim/kube/client.ts';
import { monotonicClock } from '../monotonic-clock.ts';
import { runProgram } from '../program.ts';
import { Controller } from './controller.ts';
import { parseOptions, USAGE, type Options } from './options.ts';

const log = (line: string): void => {
  process.stdout.write(`${new Date(monotonicClock.wallMs()).toISOString()} ${line}\n`);
};

async function run(options: Options): Promise<void> {
  const kube = await KubeClient.fromFile(options.kubeconfig, {
    clock: monotonicClock,
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
    await controller.start();
    log('ready');
    await controller.run();
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  }
  await kube.close();
  process.exit(0);
}

await runProgram({ name: 'controller', usage: USAGE, parseOptions, run });
