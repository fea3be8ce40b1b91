import pMap, { pMapSettled } from 'p-map';
import * as z from 'zod';
import type { Clock } from '../../sim/base/clock.ts';
import { reasonOf } from '../../sim/base/errors.ts';
import type { KubeClient } from '../../sim/kube/client.ts';
import { KINDS } from '../../sim/kube/objects.ts';
import { Cache } from './cache.ts';
import { DaemonClient } from './daemon-client.ts';
import { readyDaemons, type Daemon } from './daemons.ts';
import { discover } from './discovery.ts';
import type { Mutation } from './mutants.ts';
import { NetworkReconciler } from './network-reconciler.ts';
import {
  cidrShape,
  hostInterfaceShape,
  MULTI_NIC,
  networkShape,
  podShape,
  poolShape,
} from './objects.ts';
import type { Host } from './plan-entries.ts';
import { Writer } from './writer.ts';

/** How long changes are collected before they are looked at. */
const COLLECT_MS = 25;
/** How often hosts are asked again that did not answer, or had no interface yet. */
const ASK_AGAIN_MS = 1000;
/** How often every host is asked again, for interfaces that come or go later. */
const ASK_ALL_MS = 30_000;
const CONCURRENCY = 16;

export interface ControllerOptions {
  readonly kube: KubeClient;
  readonly clock: Clock;
  readonly namespace: string;
  readonly daemonPort: number;
  /** Writes a second for each kind; 0 is no limit. */
  readonly qps: number;
  readonly mutation: Mutation;
  readonly log: (line: string) => void;
}

/**
 * A small controller of the multi-nic shape: finds daemons by their pods, asks them for their interfaces, gives every
 * host a block per interface and network, makes the pools and tells the daemons their routes. Level triggered: each
 * pass works from what there is now, so that it does not matter what was missed.
 */
export class Controller {
  readonly #options: ControllerOptions;
  readonly #caches;
  readonly #daemons: DaemonClient;
  readonly #writer: Writer;
  readonly #networks = new Map<string, NetworkReconciler>();
  readonly #stop = new AbortController();
  #isDirty = true;
  #wake: () => void = () => undefined;
  #unanswered: ReadonlySet<string> = new Set();
  #isAskingAll = false;

  constructor(options: ControllerOptions) {
    const { kube, clock, namespace } = options;
    const changed = (): void => {
      this.#isDirty = true;
      this.#wake();
    };
    this.#options = options;
    this.#daemons = new DaemonClient(options.daemonPort);
    this.#writer = new Writer(kube, clock, options.qps);
    this.#caches = {
      nodes: new Cache(kube, clock, { kind: KINDS.node }, z.unknown(), changed),
      pods: new Cache(
        kube,
        clock,
        { kind: KINDS.pod, namespace, labelSelector: 'app=multi-nicd' },
        podShape,
        changed,
      ),
      networks: new Cache(kube, clock, { kind: MULTI_NIC.network }, networkShape, changed),
      hosts: new Cache(kube, clock, { kind: MULTI_NIC.hostInterface }, hostInterfaceShape, changed),
      cidrs: new Cache(kube, clock, { kind: MULTI_NIC.cidr }, cidrShape, changed),
      pools: new Cache(kube, clock, { kind: MULTI_NIC.pool }, poolShape, changed),
    };
  }

  /** Resolves when all kinds have been listed. */
  async start(): Promise<void> {
    await Promise.all(Object.values(this.#caches).map((cache) => cache.start()));
  }

  /** Works until it is stopped. A pass that fails is repeated after a pause. */
  async run(): Promise<void> {
    const { clock, log, mutation } = this.#options;
    const { signal } = this.#stop;
    const stopAsking = [
      clock.every(ASK_AGAIN_MS, () => {
        if (this.#unanswered.size > 0) this.#requestPass();
      }),
      clock.every(ASK_ALL_MS, () => {
        this.#isAskingAll = true;
        this.#requestPass();
      }),
      // The server makes no event of a write that changes nothing, such as a second one in the same second.
      clock.every(ASK_AGAIN_MS, () => {
        if (mutation.isRestless) this.#requestPass();
      }),
    ];
    for (;;) {
      await this.#untilDirty();
      await clock.sleep(COLLECT_MS, signal).catch(() => undefined); // stopping ends the pause
      if (signal.aborted) break;
      this.#isDirty = false;
      try {
        await this.#pass();
      } catch (error) {
        log(reasonOf(error));
        await clock.sleep(ASK_AGAIN_MS, signal).catch(() => undefined); // stopping ends the pause
        this.#isDirty = true;
      }
    }
    for (const stop of stopAsking) stop();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    for (const cache of Object.values(this.#caches)) cache.stop();
    await this.#daemons.close();
  }

  #requestPass(): void {
    this.#isDirty = true;
    this.#wake();
  }

  async #untilDirty(): Promise<void> {
    while (!this.#isDirty && !this.#stop.signal.aborted)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  async #pass(): Promise<void> {
    const daemons = readyDaemons(this.#caches.pods);
    await this.#discover(daemons);
    const names = this.#caches.networks.names();
    await this.#removeAllBut(new Set(names));
    const results = await pMapSettled(names, (name) => this.#reconcileNetwork(name, daemons), {
      concurrency: 4,
    });
    // Each network by itself: what is wrong with one shall not keep the others from being served.
    const failures = results.flatMap((result, i) =>
      result.status === 'rejected' ? [`network ${names[i] ?? ''}: ${reasonOf(result.reason)}`] : [],
    );
    if (failures.length > 0) throw new Error(failures.join('; '));
  }

  /** Removes what was made for networks that are gone. */
  async #removeAllBut(networks: ReadonlySet<string>): Promise<void> {
    const { cidrs, pools } = this.#caches;
    for (const name of this.#networks.keys()) if (!networks.has(name)) this.#networks.delete(name);
    for (const cidr of cidrs.names()) if (!networks.has(cidr)) await this.#writer.deleteCidr(cidr);
    const orphans = pools.all().filter(({ spec }) => !networks.has(spec.netAttachDef));
    await pMap(orphans, ({ metadata }) => this.#writer.deletePool(metadata.name), {
      concurrency: CONCURRENCY,
    });
  }

  async #discover(daemons: ReadonlyMap<string, Daemon>): Promise<void> {
    const known = new Map(
      this.#caches.hosts.all().map(({ spec }) => [spec.hostName, spec.interfaces] as const),
    );
    const askAgain = this.#isAskingAll ? new Set(known.keys()) : this.#unanswered;
    this.#isAskingAll = false;
    this.#unanswered = await discover(
      { daemons, nodes: new Set(this.#caches.nodes.names()), known, askAgain },
      this.#daemons,
      this.#writer,
      this.#options.log,
    );
  }

  async #reconcileNetwork(name: string, daemons: ReadonlyMap<string, Daemon>): Promise<void> {
    const network = this.#caches.networks.get(name);
    if (!network) return;
    const { mutation, log, clock } = this.#options;
    const reconciler =
      this.#networks.get(name) ??
      new NetworkReconciler(name, {
        clock,
        writer: this.#writer,
        daemons: this.#daemons,
        mutation,
        log,
      });
    this.#networks.set(name, reconciler);
    await reconciler.reconcile({
      spec: network.spec,
      cidr: this.#caches.cidrs.get(name),
      pools: this.#caches.pools.all().filter(({ spec }) => spec.netAttachDef === name),
      hosts: this.#hosts(),
      daemons,
      signal: this.#stop.signal,
    });
  }

  /** Hosts whose node is there. The interfaces of a node that is gone are on their way out. */
  #hosts(): readonly Host[] {
    return this.#caches.hosts
      .all()
      .filter(({ spec }) => this.#caches.nodes.get(spec.hostName) !== undefined)
      .map(({ spec }) => ({ name: spec.hostName, nics: spec.interfaces }));
  }
}
