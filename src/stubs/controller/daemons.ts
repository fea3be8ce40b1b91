import type * as z from 'zod';
import type { Cache } from './cache.ts';
import type { podShape } from './objects.ts';

/** A daemon that can be dialled. */
export interface Daemon {
  readonly node: string;
  readonly hostIP: string;
}

/** The daemons whose pods are ready and not on their way out, by node. */
export function readyDaemons(pods: Cache<z.output<typeof podShape>>): ReadonlyMap<string, Daemon> {
  const daemons = new Map<string, Daemon>();
  for (const { metadata, spec, status } of pods.all()) {
    const hostIP = status?.hostIP;
    const isReady = status?.containerStatuses?.[0]?.ready === true;
    if (!isReady || metadata.deletionTimestamp !== undefined) continue;
    if (spec.nodeName !== undefined && hostIP !== undefined)
      daemons.set(spec.nodeName, { node: spec.nodeName, hostIP });
  }
  return daemons;
}
