import type * as z from 'zod';
import type { Cache } from './cache.ts';
import type { podShape } from './objects.ts';

/** A daemon that can be dialled. */
export interface Daemon {
  readonly node: string;
  readonly hostIP: string;
  /** Another one after every start of the daemon, whose tables are then empty. */
  readonly life: string;
}

/** The daemons whose pods are ready and not on their way out, by node. */
export function readyDaemons(pods: Cache<z.output<typeof podShape>>): ReadonlyMap<string, Daemon> {
  const daemons = new Map<string, Daemon>();
  for (const { metadata, spec, status } of pods.all()) {
    const hostIP = status?.hostIP;
    const container = status?.containerStatuses?.[0];
    if (container?.ready !== true || metadata.deletionTimestamp !== undefined) continue;
    if (spec.nodeName === undefined || hostIP === undefined) continue;
    const life = `${metadata.uid ?? ''} ${container.restartCount ?? 0}`;
    daemons.set(spec.nodeName, { node: spec.nodeName, hostIP, life });
  }
  return daemons;
}
