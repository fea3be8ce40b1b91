import pMap from 'p-map';
import type { Clock } from '../../sim/base/clock.ts';
import type { Caches } from './caches.ts';
import { Calls } from './calls.ts';
import type { DaemonClient } from './daemon-client.ts';
import { readyDaemons } from './daemons.ts';
import type { Mutation } from './mutation.ts';
import type { HostNic } from './objects.ts';
import type { QueueCounts } from './queue-counts.ts';
import type { Writer } from './writer.ts';

const CONCURRENCY = 16;
/**
 * After which a host is asked again that did not answer, or had no interface yet. One that did answer is left in peace
 * as long, because the cache may not show yet what was stored.
 */
const ASK_AGAIN_MS = 1000;

interface DiscoveryOptions {
  readonly caches: Pick<Caches, 'nodes' | 'pods' | 'hosts'>;
  readonly daemons: Pick<DaemonClient, 'interfaces'>;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly mutation: Mutation;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  readonly queues: Readonly<Record<'discovery' | 'removal', QueueCounts>>;
  /** Called when a pass may find somebody to ask. */
  readonly wake: () => void;
}

/**
 * Asks daemons for their interfaces and writes what they say into host interface objects; removes those of nodes that
 * are gone. A pass does not wait for answers: each is stored when it comes.
 */
export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #calls: Calls;
  /** Hosts to ask although they are known. */
  readonly #due = new Set<string>();

  constructor(options: DiscoveryOptions) {
    const { clock, signal, log, queues, wake } = options;
    this.#options = options;
    this.#calls = new Calls({
      clock,
      signal,
      concurrency: CONCURRENCY,
      what: 'interfaces',
      queue: queues.discovery,
      restMs: { afterSuccess: ASK_AGAIN_MS, afterFailure: ASK_AGAIN_MS },
      onFree: wake,
      log,
    });
  }

  /** Has every host asked again, for interfaces that come or go later. */
  askAll(): void {
    const { caches, mutation, wake } = this.#options;
    if (!mutation.asksAgain) return;
    for (const { spec } of caches.hosts.all()) this.#due.add(spec.hostName);
    wake();
  }

  pass(): Promise<void> {
    const { nodes, pods } = this.#options.caches;
    const known = new Set(this.#knownHosts());
    for (const host of this.#due) if (nodes.get(host) === undefined) this.#due.delete(host);
    for (const { node, hostIP } of readyDaemons(pods).values())
      if (nodes.get(node) !== undefined && (!known.has(node) || this.#due.has(node)))
        this.#calls.offer(node, () => this.#ask(node, hostIP));
    return Promise.resolve();
  }

  /** Apart from asking, because with a limit of writes it may take long. */
  async removeGone(): Promise<void> {
    const { caches, writer, queues, signal, mutation } = this.#options;
    const isGone = (host: string): boolean =>
      caches.nodes.get(host) === undefined && !mutation.keepsHostInterface(host);
    await pMap(
      queues.removal.holding(this.#knownHosts().filter(isGone)),
      (host) =>
        queues.removal.handle(async () => {
          if (isGone(host)) await writer.deleteHostInterface(host); // it may have come back meanwhile
        }),
      { concurrency: CONCURRENCY, signal },
    );
  }

  #knownHosts(): readonly string[] {
    return this.#options.caches.hosts.all().map(({ spec }) => spec.hostName);
  }

  async #ask(host: string, hostIP: string): Promise<void> {
    this.#due.delete(host);
    try {
      const nics = await this.#options.daemons.interfaces(hostIP);
      if (nics.length === 0) this.#due.add(host);
      else await this.#store(host, nics);
    } catch (error) {
      this.#due.add(host);
      throw error;
    }
  }

  async #store(host: string, nics: readonly HostNic[]): Promise<void> {
    const { caches, writer } = this.#options;
    if (caches.nodes.get(host) === undefined) return;
    const known = caches.hosts.get(host)?.spec.interfaces;
    if (!known) await writer.createHostInterface(host, nics);
    else if (JSON.stringify(known) !== JSON.stringify(nics))
      await writer.updateHostInterface(host, nics);
  }
}
