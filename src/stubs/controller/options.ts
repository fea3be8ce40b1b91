import { parseArgs } from 'node:util';
import { mutationOf, MUTANTS, type Mutation } from './mutants.ts';

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
  readonly mutation: Mutation;
}

export const USAGE =
  'usage: controller --kubeconfig FILE [--namespace NAME] [--daemon-port PORT] [--qps N] ' +
  '[--ask-every MILLISECONDS] [--seed N] [--mutant NAME]';

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
      seed: { type: 'string', default: '1' },
      mutant: { type: 'string' },
    },
  });
  const { kubeconfig, namespace, mutant } = values;
  if (kubeconfig === undefined || kubeconfig === '') throw new Error('--kubeconfig is missing');
  const daemonPort = wholeNumber(values['daemon-port'], 'daemon-port');
  if (daemonPort < 1 || daemonPort > 65_535)
    throw new Error(`--daemon-port: ${daemonPort} is no port`);
  const mutation = mutationOf(mutant, wholeNumber(values.seed, 'seed'));
  if (!mutation)
    throw new Error(
      `unknown mutant ${String(mutant)}, expected one of ${MUTANTS.map(({ name }) => name).join(', ')}`,
    );
  const askEveryMs = wholeNumber(values['ask-every'], 'ask-every');
  if (askEveryMs < 1) throw new Error('--ask-every: expected at least 1 millisecond, got 0');
  const qps = wholeNumber(values.qps, 'qps');
  return { kubeconfig, namespace, daemonPort, qps, askEveryMs, mutation };
}

function wholeNumber(text: string, name: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name}: expected a whole number, got ${text}`);
  return Number(text);
}
