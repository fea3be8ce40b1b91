import pMap from 'p-map';
import type { DaemonClient } from './daemon-client.ts';
import type { Daemon } from './daemons.ts';
import type { HostNic } from './objects.ts';
import type { Writer } from './writer.ts';

const CONCURRENCY = 16;

export interface DiscoveryNeeds {
  readonly daemons: ReadonlyMap<string, Daemon>;
  readonly nodes: ReadonlySet<string>;
  /** What each host interface object says now. */
  readonly known: ReadonlyMap<string, readonly HostNic[]>;
  /** Hosts to ask again although they are known, for interfaces that came late. */
  readonly askAgain: ReadonlySet<string>;
}

/**
 * Asks daemons for their interfaces and writes what they say into host interface objects; removes those of nodes that
 * are gone. Answers the hosts that did not answer, or had nothing to say.
 */
export async function discover(
  needs: DiscoveryNeeds,
  daemons: DaemonClient,
  writer: Writer,
  log: (line: string) => void,
): Promise<ReadonlySet<string>> {
  const unanswered = new Set<string>();
  const gone = [...needs.known.keys()].filter((host) => !needs.nodes.has(host));
  const asked = [...needs.daemons.values()].filter(
    ({ node }) => needs.nodes.has(node) && (!needs.known.has(node) || needs.askAgain.has(node)),
  );
  await pMap(gone, (host) => writer.deleteHostInterface(host), { concurrency: CONCURRENCY });
  await pMap(
    asked,
    async ({ node, hostIP }) => {
      try {
        const nics = await daemons.interfaces(hostIP);
        if (nics.length === 0) unanswered.add(node);
        else await store(node, nics, needs.known.get(node), writer);
      } catch (error) {
        unanswered.add(node);
        log(`interfaces of ${node}: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    { concurrency: CONCURRENCY },
  );
  return unanswered;
}

async function store(
  host: string,
  nics: readonly HostNic[],
  known: readonly HostNic[] | undefined,
  writer: Writer,
): Promise<void> {
  if (!known) await writer.createHostInterface(host, nics);
  else if (JSON.stringify(known) !== JSON.stringify(nics))
    await writer.updateHostInterface(host, nics);
}
