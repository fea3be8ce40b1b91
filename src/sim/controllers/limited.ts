import { join } from 'node:path';
import { reasonOf, SimError } from '../base/errors.ts';
import { parseQuantity } from '../base/quantity.ts';
import type { Cgroup } from '../host/cgroups.ts';
import type { Host } from '../host/host.ts';
import { cgroupName } from '../host/remove-cgroups.ts';
import type { ControllerLimits } from '../model/controller-spec.ts';

const TRY_TIMEOUT_MS = 10_000;

/** The limits of a controller, and the control group that holds it to them. */
export interface ControllerGroup {
  readonly limits: ControllerLimits;
  readonly cgroup: Cgroup;
}

/**
 * Makes the control group of a run's controller and tries whether a process can join it. Tells of each directory before
 * it is made. Throws SIM_LIMITS.
 */
export async function makeControllerGroup(
  host: Pick<Host, 'cgroups' | 'commands' | 'env' | 'packageRoot'>,
  runId: string,
  limits: ControllerLimits,
  onDirectory: (directory: string) => Promise<void>,
): Promise<ControllerGroup> {
  const cgroup = await host.cgroups.create(
    cgroupName(runId),
    { cpuCores: numberOf(limits.cpu), memoryBytes: numberOf(limits.memory) },
    onDirectory,
  );
  const { program, args } = inGroup(host, cgroup, { program: 'true', args: [] });
  try {
    await host.commands.run(program, args, { env: host.env, timeoutMs: TRY_TIMEOUT_MS });
  } catch (error) {
    throw new SimError(
      'SIM_LIMITS',
      `the controller cannot be put into its control group: ${reasonOf(error)}`,
      { cause: error, details: error instanceof SimError ? error.details : [] },
    );
  }
  return { limits, cgroup };
}

const numberOf = (quantity: string | null): number | undefined =>
  quantity === null ? undefined : parseQuantity(quantity);

interface Started {
  readonly program: string;
  readonly args: readonly string[];
}

/** Wraps a command so that it is a member of the group before its first instruction. It keeps its pid. */
export function inGroup(
  { packageRoot }: Pick<Host, 'packageRoot'>,
  { directories }: Cgroup,
  { program, args }: Started,
): Started {
  const script = join(packageRoot, 'templates', 'in-cgroup.sh');
  return {
    program: '/bin/sh', // the program's own PATH need not have one
    args: [script, String(directories.length), ...directories, program, ...args],
  };
}
