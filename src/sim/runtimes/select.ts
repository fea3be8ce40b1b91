import { reasonOf, SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import { kwokctlRuntime } from './kwokctl.ts';
import type { ClusterRuntime } from './runtime.ts';

/** Every runtime, in the order in which they are tried when none is named. */
export const RUNTIMES: readonly ClusterRuntime[] = [kwokctlRuntime];

/** The named runtime, or the first that fits. Throws SIM_RUNTIME with every reason when none does. */
export async function selectRuntime(host: Host, name: string | undefined): Promise<ClusterRuntime> {
  const candidates = name === undefined ? RUNTIMES : RUNTIMES.filter((r) => r.name === name);
  const reasons: string[] = [];
  for (const runtime of candidates) {
    try {
      if (await runtime.probe(host)) return runtime;
      reasons.push(`${runtime.name}: does not apply to this machine`);
    } catch (error) {
      reasons.push(`${runtime.name}: ${reasonOf(error)}`);
    }
  }
  throw new SimError(
    'SIM_RUNTIME',
    name === undefined
      ? 'no cluster runtime can be used'
      : `cluster runtime ${name} cannot be used`,
    {
      details: reasons.length > 0 ? reasons : [`known: ${RUNTIMES.map((r) => r.name).join(', ')}`],
      hint: '`sim doctor` says more',
    },
  );
}
