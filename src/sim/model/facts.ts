import type { RunMs } from '../base/units.ts';

/** A point of the recording. Order by `seq`; `atMs` is for people and for durations. */
export interface Moment {
  readonly seq: number;
  readonly atMs: RunMs;
}

/** A fake or real Node object exists, with this address. */
export interface NodeFact {
  readonly kind: 'node';
  readonly node: string;
  readonly uid: string;
  /** The run whose label the node carries; undefined for nodes that sim did not make. */
  readonly run: string | undefined;
  readonly internalIP: string | undefined;
  /** `KEY:EFFECT` of each, sorted, without those that kwok and the cluster itself set. */
  readonly taints: readonly string[];
}

/** A pod is bound to a node. */
export interface PodFact {
  readonly kind: 'pod';
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
  readonly hostNetwork: boolean;
  readonly hostIP: string | undefined;
  readonly podIPs: readonly string[];
  readonly ready: boolean;
}

/** An address range is given to one (network, node, interface). */
export interface BlockFact {
  readonly kind: 'block';
  readonly network: string;
  readonly node: string;
  readonly interface: string;
  readonly cidr: string;
  /** The range that must contain the block, besides the network's own; undefined when there is none. */
  readonly parent: string | undefined;
  /** Where peers reach the block: the interface network it belongs to, and the address of its node there. */
  readonly link?: { readonly netAddress: string; readonly via: string };
}

/** The object from which a node gives out the addresses of a block. */
export interface PoolFact {
  readonly kind: 'pool';
  readonly network: string;
  readonly node: string;
  readonly interface: string;
  readonly cidr: string;
  readonly parent: string | undefined;
}

/** The operator knows that a node has an interface. */
export interface InterfaceFact {
  readonly kind: 'interface';
  readonly node: string;
  readonly interface: string;
  readonly netAddress: string;
  readonly address: string;
}

/** The pod of a node's daemon, and the address under which it can be dialled. */
export interface DaemonFact {
  readonly kind: 'daemon';
  readonly node: string;
  readonly pod: string;
  readonly address: string | undefined;
  readonly ready: boolean;
}

/** The routes that a node's daemon was told last: how many, and the set digest of their `net|via|iface`. */
export interface RoutesFact {
  readonly kind: 'routes';
  readonly node: string;
  readonly network: string;
  readonly count: number;
  readonly digest: number;
}

/** A daemon has answered that an address is given to an owner, and has not taken it back since. */
export interface GrantFact {
  readonly kind: 'grant';
  readonly network: string;
  readonly node: string;
  readonly interface: string;
  readonly owner: string;
  readonly address: string;
}

/** One address is held by one owner. */
export interface LeaseFact {
  readonly kind: 'lease';
  readonly network: string;
  readonly node: string;
  readonly interface: string;
  readonly owner: string;
  readonly address: string;
  /** Two owners with the same key may hold the same address. Undefined: the address belongs to one alone. */
  readonly sharingKey: string | undefined;
  /** The address's number in its pool, the pool's range, and what is excluded from it; where the operator says so. */
  readonly place?: {
    readonly index: number;
    readonly cidr: string;
    readonly excludes: readonly string[];
  };
}

/** A step has asked for addresses for this owner on this node, on every network, and has not given them back. */
export interface AskFact {
  readonly kind: 'ask';
  readonly node: string;
  readonly owner: string;
}

/** Something is wrong with the node or its daemon, on purpose. */
export interface FaultFact {
  readonly kind: 'fault';
  readonly node: string;
  /** Its kind. */
  readonly fault: string;
  /** The NIC, where the fault is of one. */
  readonly interface: string | undefined;
}

/** A number that the operator reports about itself. */
export interface CounterFact {
  readonly kind: 'counter';
  readonly network: string;
  readonly counter: string;
  readonly value: number;
}

/** Something that an object, or a row of it, says. */
export type Fact =
  | NodeFact
  | PodFact
  | BlockFact
  | PoolFact
  | LeaseFact
  | InterfaceFact
  | DaemonFact
  | RoutesFact
  | GrantFact
  | AskFact
  | FaultFact
  | CounterFact;
export type FactKind = Fact['kind'];
export type FactOf<K extends FactKind> = Extract<Fact, { kind: K }>;

/** A fact and the stretch of the recording in which it was true: from `from` up to, not including, `to`. */
export interface Lifetime<F extends Fact = Fact> {
  readonly fact: F;
  /** Where it was read: `nodes/sim-7`. */
  readonly object: string;
  readonly from: Moment;
  /** Undefined: still true at the end of the recording. */
  readonly to: Moment | undefined;
}

/** The node a fact is about, where it is about one. */
export const nodeOf = (fact: Fact): string | undefined =>
  fact.kind === 'counter' ? undefined : fact.node;
