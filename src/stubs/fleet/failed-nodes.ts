import { reasonOf, systemCodeOf } from '../../sim/base/errors.ts';
import type { FailedNode, FleetNode } from './contract.ts';
import { portHolders } from './port-holder.ts';

export const ADDRESS_TAKEN = 'EADDRINUSE';

/** A daemon that could not be changed as it should. */
export interface Failure {
  readonly node: Pick<FleetNode, 'name' | 'address'>;
  readonly code: string | null;
  /** Undefined when the kernel only says that the address is taken. */
  readonly why: string | undefined;
}

/** Makes a change; undefined when it succeeded. */
export async function failureOf(
  node: Failure['node'],
  change: () => Promise<void>,
): Promise<Failure | undefined> {
  try {
    await change();
    return undefined;
  } catch (error) {
    const code = systemCodeOf(error) ?? null;
    return { node, code, why: code === ADDRESS_TAKEN ? undefined : reasonOf(error) };
  }
}

/** Looks up who has the addresses that are taken. */
export async function explainFailures(
  failures: readonly Failure[],
  port: number,
): Promise<readonly FailedNode[]> {
  const isAnyUnknown = failures.some(({ why }) => why === undefined);
  const holderOf = isAnyUnknown ? await portHolders(port) : undefined;
  return failures.map(({ node: { name, address }, code, why }) => {
    const reason = why ?? holderOf?.(address) ?? 'another program has it';
    const problem = `cannot listen on ${address}:${port} for ${name}: ${reason}`;
    return { name, address, port, code, problem };
  });
}
