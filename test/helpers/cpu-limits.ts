import { reasonOf } from '../../src/sim/base/errors.ts';
import type { Host } from '../../src/sim/host/host.ts';

/** Why CPU time cannot be limited on this machine; undefined when it can. */
export async function whyNoCpuLimits({
  cgroups,
  randomId,
}: Pick<Host, 'cgroups' | 'randomId'>): Promise<string | undefined> {
  try {
    const { directories } = await cgroups.create(
      `sim-test-${randomId()}`,
      { cpuCores: 1, memoryBytes: undefined },
      () => Promise.resolve(),
    );
    for (const directory of directories) await cgroups.remove(directory);
    return undefined;
  } catch (error) {
    return `CPU time cannot be limited here: ${reasonOf(error)}`;
  }
}
