import { indexesOfSet, inSet, nodeName, setOf, type NodeSet } from '../base/node-names.ts';
import type { Clock } from '../base/clock.ts';
import type { Fleet } from '../fleet/fleet.ts';
import {
  faultKey,
  isDaemonFault,
  movedAddress,
  type DaemonFault,
  type Fault,
  type FaultKind,
} from '../model/fault.ts';
import { nodeAddress } from '../model/node-address.ts';
import type { DaemonPlan, NicPlan } from '../model/operator-profile.ts';

/** The same of every fake NIC: a virtio network card. */
const HARDWARE = { vendor: '1af4', product: '1000' };
const REFUSE: DaemonFault = { kind: 'refuse' };
/** The interface network of NICs that are one too many: those of a plan are counted up from 0. */
const EXTRA_NET = 99;

/** The last start of a node's daemon. One that takes its time refuses until it is over, whatever else befalls it. */
interface Start {
  isOver: boolean;
}

/** Nodes that had the same fault. */
export interface HealedFault {
  readonly fault: Fault;
  readonly nodes: NodeSet;
}

/**
 * The daemons of the fake nodes: each at its node's address, with its node's NICs. Faults belong to a node's name: a
 * node that comes later, or again, has them too.
 */
export class Daemons {
  readonly #fleet: Fleet;
  readonly #plan: DaemonPlan;
  readonly #network: string;
  readonly #clock: Clock;
  readonly #starts = new Map<number, Start>();
  readonly #faults = new Map<number, Map<string, Fault>>();

  constructor(fleet: Fleet, plan: DaemonPlan, network: string, clock: Clock) {
    this.#fleet = fleet;
    this.#plan = plan;
    this.#network = network;
    this.#clock = clock;
  }

  get networks(): DaemonPlan['networks'] {
    return this.#plan.networks;
  }

  /** Where the daemon of a node is called: `127.64.0.7:11000`. */
  endpoint(node: number): string {
    return `${nodeAddress(this.#network, node)}:${this.#plan.port}`;
  }

  /** It can be dialled when this resolves. Throws SIM_ADDRESSES when somebody else has its address and port. */
  async start(node: number, signal: AbortSignal): Promise<void> {
    const name = nodeName(node);
    const address = nodeAddress(this.#network, node);
    await this.#fleet.putNodes([{ name, address, interfaces: this.#nicsOf(node) }], signal);
    const startMs = this.#startMs(node);
    const start: Start = { isOver: startMs === 0 };
    this.#starts.set(node, start);
    const fault = this.#daemonFault(node);
    if (!start.isOver) {
      await this.#fleet.putFault([name], REFUSE, signal);
      this.#later(startMs, node, start, signal);
    } else if (fault) await this.#fleet.putFault([name], fault, signal);
  }

  async end(node: number, signal: AbortSignal): Promise<void> {
    this.#starts.delete(node);
    await this.#fleet.deleteNodes([nodeName(node)], signal);
  }

  /** Processes that die and come back: what they had in memory is lost, the routes of their nodes are not. */
  async restart(nodes: NodeSet, downMs: number, signal: AbortSignal): Promise<void> {
    const byDowntime = new Map<number, string[]>();
    for (const node of this.#there(nodes)) {
      const ms = Math.max(downMs, this.#startMs(node));
      byDowntime.set(ms, [...(byDowntime.get(ms) ?? []), nodeName(node)]);
    }
    await Promise.all(
      [...byDowntime].map(([ms, names]) =>
        this.#fleet.restartDaemons(names, { downMs: ms }, signal),
      ),
    );
  }

  /** One fault of a kind at a time: a later one takes the place of an earlier. */
  async addFault(nodes: NodeSet, fault: Fault, signal: AbortSignal): Promise<void> {
    const there = this.#there(nodes);
    if (fault.kind === 'drop') {
      await this.#fleet.dropConnections(there.map(nodeName), signal);
      return;
    }
    for (const node of indexesOfSet(nodes)) {
      const faults = this.#faults.get(node) ?? new Map<string, Fault>();
      this.#faults.set(node, faults.set(faultKey(fault), fault));
    }
    if (isDaemonFault(fault)) await this.#putFault(there, fault, signal);
    else await this.#tellNics(there, signal);
  }

  /** Answers what was healed: nothing where there was no such fault. */
  async heal(
    nodes: NodeSet,
    what: FaultKind | undefined,
    signal: AbortSignal,
  ): Promise<readonly HealedFault[]> {
    const healed = new Map<string, { readonly fault: Fault; readonly nodes: number[] }>();
    for (const [node, faults] of this.#faults) {
      if (!inSet(nodes, node)) continue;
      for (const [key, fault] of faults) {
        if (what !== undefined && fault.kind !== what) continue;
        faults.delete(key);
        const text = JSON.stringify(fault);
        const one = healed.get(text) ?? { fault, nodes: [] };
        healed.set(text, one);
        one.nodes.push(node);
      }
    }
    const all = [...healed.values()].map((one) => ({ ...one, nodes: setOf(one.nodes) }));
    for (const { fault, nodes: rid } of all) {
      const there = this.#there(rid);
      if (isDaemonFault(fault)) await this.#putFault(there, undefined, signal);
      else await this.#tellNics(there, signal);
    }
    return all;
  }

  #there(nodes: NodeSet): readonly number[] {
    return indexesOfSet(nodes).filter((node) => this.#starts.has(node));
  }

  #faultsOf(node: number): readonly Fault[] {
    return [...(this.#faults.get(node)?.values() ?? [])];
  }

  #daemonFault(node: number): DaemonFault | undefined {
    return this.#faultsOf(node).find(isDaemonFault);
  }

  #startMs(node: number): number {
    const slow = this.#faultsOf(node).find((fault) => fault.kind === 'slow-start');
    return slow?.delayMs ?? 0;
  }

  /** A start that takes its time holds up nothing else. */
  #later(ms: number, node: number, start: Start, signal: AbortSignal): void {
    void (async () => {
      await this.#clock.sleep(ms, signal);
      if (this.#starts.get(node) !== start) return; // it has ended since, and perhaps begun again
      start.isOver = true;
      await this.#putFault([node], this.#daemonFault(node), signal);
    })().catch(() => undefined); // the run is over, or its fleet is gone: both are told elsewhere
  }

  async #putFault(
    nodes: readonly number[],
    fault: DaemonFault | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const up = nodes.filter((node) => this.#starts.get(node)?.isOver === true);
    await this.#fleet.putFault(up.map(nodeName), fault, signal);
  }

  async #tellNics(nodes: readonly number[], signal: AbortSignal): Promise<void> {
    for (const node of nodes)
      await this.#fleet.putInterfaces(nodeName(node), this.#nicsOf(node), signal);
  }

  #nicsOf(node: number) {
    const faults = this.#faultsOf(node);
    const missing = new Set(
      faults.flatMap((one) => (one.kind === 'missing-nic' ? [one.interface] : [])),
    );
    const extra = faults.flatMap((one) =>
      one.kind === 'extra-nic' ? [extraNic(one.interface, node)] : [],
    );
    const moved = faults.some(({ kind }) => kind === 'address');
    return [...this.#plan.nics(node), ...extra]
      .map((nic, k) => ({
        ...nic,
        ...(moved ? { hostIP: movedAddress(nic.hostIP) } : {}),
        ...HARDWARE,
        pciAddress: `0000:00:${(k + 4).toString(16).padStart(2, '0')}.0`,
      }))
      .filter(({ interfaceName }) => !missing.has(interfaceName));
  }
}

const extraNic = (interfaceName: string, node: number): NicPlan => ({
  interfaceName,
  netAddress: `10.${EXTRA_NET}.0.0/16`,
  hostIP: `10.${EXTRA_NET}.${node >> 8}.${node & 255}`,
});
