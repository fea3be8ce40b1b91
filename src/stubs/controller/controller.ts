import type { Clock } from '../../sim/base/clock.ts';
import type { KubeClient } from '../../sim/kube/client.ts';
import { Allocation } from './allocation.ts';
import { openCaches, type Caches, type KindRead } from './caches.ts';
import { DaemonClient } from './daemon-client.ts';
import { Discovery } from './discovery.ts';
import { Loop } from './loop.ts';
import type { Mutation } from './mutation.ts';
import { Pools } from './pools.ts';
import { QueueCounts } from './queue-counts.ts';
import { Routes } from './routes.ts';
import { Writer } from './writer.ts';

/** How long changes are collected before they are looked at. */
const COLLECT_MS = 25;
/** Every version of the routes is a full table for every daemon: those in between are not worth telling. */
const COLLECT_ROUTES_MS = 250;
const RETRY_MS = 1000;
const LOOK_MS = 1000;

type LoopName = 'discovery' | 'removal' | 'allocation' | 'pools' | 'routes';

/** Which loops look at a kind. */
const READERS: Readonly<Record<KindRead, readonly LoopName[]>> = {
  nodes: ['discovery', 'removal', 'allocation'],
  pods: ['discovery', 'allocation', 'routes'],
  networks: ['allocation', 'pools'],
  hosts: ['discovery', 'removal', 'allocation'],
  cidrs: ['allocation'],
  pools: ['pools'],
};

export interface ControllerOptions {
  readonly kube: KubeClient;
  readonly clock: Clock;
  readonly namespace: string;
  readonly daemonPort: number;
  /** Writes a second for each kind; 0 is no limit. */
  readonly qps: number;
  /** How often every host is asked again, for interfaces that come or go later. */
  readonly askEveryMs: number;
  readonly mutation: Mutation;
  /** Ends the process at once. No honest controller calls it. */
  readonly crash: () => void;
  readonly log: (line: string) => void;
}

/**
 * A small controller of the multi-nic shape: finds daemons by their pods, asks them for their interfaces, gives every
 * host a block per interface and network, makes the pools and tells the daemons their routes. Each of these is a loop
 * of its own, as real controllers have a queue for each kind: pools that wait for their turn to be written, and daemons
 * that hang, hold up nothing else. Level triggered, so that it does not matter what was missed.
 */
export class Controller {
  /** What waits for its turn in each loop, and how it went so far. */
  readonly queues: Readonly<Record<LoopName, QueueCounts>> = {
    discovery: new QueueCounts(),
    removal: new QueueCounts(),
    allocation: new QueueCounts(),
    pools: new QueueCounts(),
    routes: new QueueCounts(),
  };
  readonly #options: ControllerOptions;
  readonly #caches: Caches;
  readonly #daemons: DaemonClient;
  readonly #discovery: Discovery;
  readonly #loops: Readonly<Record<LoopName, Loop>>;
  readonly #stop = new AbortController();

  constructor(options: ControllerOptions) {
    const { kube, clock, mutation, log } = options;
    const { signal } = this.#stop;
    const { queues } = this;
    this.#options = options;
    this.#daemons = new DaemonClient(options.daemonPort, mutation);
    this.#caches = openCaches(kube, clock, options.namespace, (kind) => {
      this.#wake(...READERS[kind]);
    });
    const writer = new Writer(kube, clock, options.qps);
    const base = { caches: this.#caches, daemons: this.#daemons, writer, clock, mutation };
    const wake = (name: LoopName) => () => {
      this.#wake(name);
    };
    this.#discovery = new Discovery({ ...base, queues, signal, log, wake: wake('discovery') });
    const allocation = new Allocation({
      ...base,
      crash: options.crash,
      onChange: () => {
        this.#wake('pools', 'routes');
      },
      queue: queues.allocation,
    });
    const { allocated } = allocation;
    const pools = new Pools({ ...base, allocated, queue: queues.pools, signal });
    const routes = new Routes({
      ...base,
      allocated,
      queue: queues.routes,
      signal,
      log,
      wake: wake('routes'),
    });
    const loop = (pass: () => Promise<void>, collectMs = COLLECT_MS): Loop =>
      new Loop({ clock, collectMs, retryMs: RETRY_MS, pass, log });
    this.#loops = {
      discovery: loop(() => this.#discovery.pass()),
      removal: loop(() => this.#discovery.removeGone()),
      allocation: loop(() => allocation.pass()),
      pools: loop(() => pools.pass()),
      routes: loop(() => routes.pass(), COLLECT_ROUTES_MS),
    };
  }

  /** Resolves when all kinds have been listed. */
  async start(): Promise<void> {
    await Promise.all(Object.values(this.#caches).map((cache) => cache.start()));
  }

  /** Works until it is stopped. */
  async run(): Promise<void> {
    const { clock, askEveryMs, mutation } = this.#options;
    const stopTicking = [
      clock.every(askEveryMs, () => {
        this.#discovery.askAll();
      }),
      // The server makes no event of a write that changes nothing, such as a second one in the same second.
      clock.every(LOOK_MS, () => {
        if (mutation.looksEverySecond) this.#wake('allocation');
      }),
    ];
    await Promise.all(Object.values(this.#loops).map((loop) => loop.run(this.#stop.signal)));
    for (const stop of stopTicking) stop();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    for (const cache of Object.values(this.#caches)) cache.stop();
    await this.#daemons.close();
  }

  #wake(...names: readonly LoopName[]): void {
    for (const name of names) this.#loops[name].wake();
  }
}
