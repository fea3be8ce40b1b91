import { parseArgs } from 'node:util';

export interface Options {
  /** Of the cluster in which Pod objects are made; only needed for plans with such. */
  readonly kubeconfig: string | undefined;
}

export const USAGE = 'usage: cni [--kubeconfig FILE] < PLAN';

/** Throws an Error that says what is wrong with the arguments. */
export function parseOptions(args: readonly string[]): Options {
  const { kubeconfig } = parseArgs({
    args: [...args],
    options: { kubeconfig: { type: 'string' } },
  }).values;
  return { kubeconfig };
}
