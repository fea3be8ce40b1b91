import { parseArgs } from 'node:util';
import { mutationOf, MUTANTS } from './mutants.ts';
import type { Mutation } from './mutation.ts';

export interface Options {
  readonly kubeconfig: string;
  /** Where the pods of the daemons are. */
  readonly namespace: string;
  /** At which every daemon answers, on the address of its node. */
  readonly daemonPort: number;
  /** Writes a second for each kind; 0 is no limit. */
  readonly qps: number;
  /** How often daemons that are known are asked for their NICs again. */
  readonly askEveryMs: number;
  /** Of 127.0.0.1, where it offers its metrics: 0 is one that is free; undefined: it offers none. */
  readonly metricsPort: number | undefined;
  readonly mutation: Mutation;
}

export const USAGE =
  'usage: controller --kubeconfig FILE [--namespace NAME] [--daemon-port PORT] [--qps N] ' +
  '[--ask-every MILLISECONDS] [--metrics-port PORT] [--seed N] [--mutant NAME]';

/** Throws an Error that says what is wrong with the arguments. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kubeconfig: { type: 'string' },
      namespace: { type: 'string', default: 'multi-nic-cni-operator' },
      'daemon-port': { type: 'string', default: '11000' },
      qps: { type: 'string', default: '0' },
      'ask-every': { type: 'string', default: '30000' },
      'metrics-port': { type: 'string' },
      seed: { type: 'string', default: '1' },
      mutant: { type: 'string' },
    },
  });
  const { kubeconfig, namespace, mutant } = values;
  if (kubeconfig === undefined || kubeconfig === '') throw new Error('--kubeconfig is missing');
  const daemonPort = port(values['daemon-port'], 'daemon-port', 1);
  const mutation = mutationOf(mutant, wholeNumber(values.seed, 'seed'));
  if (!mutation)
    throw new Error(
      `unknown mutant ${String(mutant)}, expected one of ${MUTANTS.map(({ name }) => name).join(', ')}`,
    );
  const askEveryMs = wholeNumber(values['ask-every'], 'ask-every');
  if (askEveryMs < 1) throw new Error('--ask-every: expected at least 1 millisecond, got 0');
  const qps = wholeNumber(values.qps, 'qps');
  const given = values['metrics-port'];
  const metricsPort = given === undefined ? undefined : port(given, 'metrics-port', 0);
  return { kubeconfig, namespace, daemonPort, qps, askEveryMs, metricsPort, mutation };
}

function port(text: string, name: string, lowest: 0 | 1): number {
  const number = wholeNumber(text, name);
  if (number < lowest || number > 65_535) throw new Error(`--${name}: ${number} is no port`);
  return number;
}

function wholeNumber(text: string, name: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name}: expected a whole number, got ${text}`);
  return Number(text);
}
