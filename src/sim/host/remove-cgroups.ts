import { basename } from 'node:path';
import { waitFor } from '../base/wait.ts';
import type { Host } from './host.ts';

const POLL_MS = 20;

/** Of the control groups of a run. */
export const cgroupName = (runId: string): string => `sim-${runId}`;

export interface CgroupsOfRun {
  readonly id: string;
  readonly directories: readonly string[];
}

/**
 * Removes the control groups of a run whose processes have ended: a member that the kernel still takes apart keeps its
 * group for a moment. Touches no directory of another name. Throws SIM_TIMEOUT.
 */
export async function removeCgroups(
  { cgroups, clock }: Pick<Host, 'cgroups' | 'clock'>,
  { id, directories }: CgroupsOfRun,
  timeoutMs: number,
): Promise<void> {
  for (const directory of directories.filter((path) => basename(path) === cgroupName(id)))
    await waitFor({
      what: `the control group ${directory} to be without members`,
      clock,
      timeoutMs,
      intervalMs: POLL_MS,
      probe: async () => ((await cgroups.remove(directory)) ? true : undefined),
    });
}
