import { parseArgs } from 'node:util';
import { DAEMON_MUTANTS, daemonMutationsOf, type DaemonMutations } from '../daemon/mutants.ts';

export interface Options {
  /** The Unix socket of the control API. */
  readonly socket: string;
  /** At which every daemon answers, on its own address. */
  readonly port: number;
  /** Of the cluster that holds the IPPools; without one nothing can be allocated. */
  readonly kubeconfig: string | undefined;
  readonly mutations: DaemonMutations;
}

export const USAGE =
  'usage: fleet --socket PATH --port PORT [--kubeconfig FILE] [--seed N] [--mutant NAME]';

/** Throws an Error that says what is wrong with the arguments. */
export function parseOptions(args: readonly string[]): Options {
  const { socket, port, kubeconfig, seed, mutant } = parseArgs({
    args: [...args],
    options: {
      socket: { type: 'string' },
      port: { type: 'string' },
      kubeconfig: { type: 'string' },
      seed: { type: 'string', default: '1' },
      mutant: { type: 'string' },
    },
  }).values;
  if (socket === undefined || socket === '') throw new Error('--socket is missing');
  if (port === undefined) throw new Error('--port is missing');
  const number = /^\d+$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535) throw new Error(`--port ${port} is no port`);
  if (!/^\d+$/.test(seed)) throw new Error(`--seed: expected a whole number, got ${seed}`);
  const mutations = daemonMutationsOf(mutant, Number(seed));
  if (!mutations)
    throw new Error(
      `unknown mutant ${String(mutant)}, expected one of ${DAEMON_MUTANTS.map(({ name }) => name).join(', ')}`,
    );
  return { socket, port: number, kubeconfig, mutations };
}
