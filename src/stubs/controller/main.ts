import { parseArgs } from 'node:util';
import { KubeClient } from '../../sim/kube/client.ts';
import { monotonicClock } from '../monotonic-clock.ts';
import { Controller } from './controller.ts';
import { mutationOf, MUTANTS } from './mutants.ts';

const USAGE =
  'usage: controller --kubeconfig FILE [--namespace NAME] [--daemon-port PORT] [--qps N] [--seed N] [--mutant NAME]';

function fail(message: string): never {
  process.stderr.write(`${message}\n${USAGE}\n`);
  process.exit(2);
}

function wholeNumber(text: string, name: string): number {
  const value = Number(text);
  return Number.isInteger(value) && value >= 0
    ? value
    : fail(`--${name}: expected a whole number, got ${text}`);
}

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    namespace: { type: 'string', default: 'multi-nic-cni-operator' },
    'daemon-port': { type: 'string', default: '11000' },
    qps: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    mutant: { type: 'string' },
  },
});
if (values.kubeconfig === undefined) fail('--kubeconfig is missing');
const mutation = mutationOf(values.mutant, wholeNumber(values.seed, 'seed'));
if (!mutation)
  fail(
    `unknown mutant ${String(values.mutant)}, expected one of ${MUTANTS.map(({ name }) => name).join(', ')}`,
  );

const log = (line: string): void => {
  process.stdout.write(`${new Date(monotonicClock.wallMs()).toISOString()} ${line}\n`);
};
const kube = await KubeClient.fromFile(values.kubeconfig, {
  clock: monotonicClock,
  userAgent: 'sim-reference-controller',
});
const controller = new Controller({
  kube,
  clock: monotonicClock,
  namespace: values.namespace,
  daemonPort: wholeNumber(values['daemon-port'], 'daemon-port'),
  qps: wholeNumber(values.qps, 'qps'),
  mutation,
  log,
});
const stop = (): void => {
  void controller.stop();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
await controller.start();
log('ready');
await controller.run();
await kube.close();
process.exit(0);
