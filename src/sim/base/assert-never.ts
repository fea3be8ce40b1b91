import { SimError } from './errors.ts';

/** Ends a switch over a closed union: a new case without a branch does not compile. */
export function assertNever(value: never): never {
  throw new SimError('SIM_BUG', `unexpected case ${JSON.stringify(value)}`);
}
