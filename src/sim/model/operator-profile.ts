import type * as z from 'zod';
import type { JsonObject } from '../base/json.ts';
import type { SetDigest } from '../base/set-digest.ts';
import type { Fact, FactKind, FactOf } from './facts.ts';
import type { CapacityLine } from './plan.ts';

/** A kind of Kubernetes object, by its place in the API. */
export interface ResourceKind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** What is kept of an object: a few fields, and rows where the object is a table. */
export interface Projection {
  readonly fields: JsonObject;
  /** Rows by a key that stays the same while the row means the same thing. Recorded as differences. */
  readonly rows?: Readonly<Record<string, JsonObject>>;
}

/** A kind that is watched, and what its objects say. */
export interface ObservedResource {
  /** The name in the recording: `nodes`, `cidrs`. */
  readonly id: string;
  readonly kind: ResourceKind;
  /** Only objects with these labels are asked for; left out: all. */
  readonly labelSelector?: string;
  /** Trims a raw object. Throws when it does not have the expected shape: that is a gap, never silence. */
  readonly project: (raw: unknown) => Projection;
  /** What the fields say. */
  readonly facts: (object: ObservedObject) => readonly Fact[];
  /** What one row says. */
  readonly rowFacts?: (key: string, row: JsonObject, object: ObservedObject) => readonly Fact[];
  /**
   * What counts as unrest while a step settles (INV013). Left out: nothing, because the cluster itself writes these
   * objects too. `any-write`: also one that changes nothing of what is kept.
   */
  readonly unrest?: 'any-write' | ((change: ProjectionChange) => boolean);
}

export interface ProjectionChange {
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

export interface ObservedObject {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly fields: JsonObject;
}

/** The facts that are true now, by node. */
export interface FactView {
  of<K extends FactKind>(node: string, kind: K): readonly FactOf<K>[];
  /** The routes to all blocks of the node's peers on a network, over the interfaces that they share. */
  routesTo(node: string, network: string): SetDigest;
}

/** A per-node state that must be reached. */
export interface Milestone {
  readonly name: string;
  /** Completes "the node …". */
  readonly title: string;
  /** Who must bring it about: the operator's controller, or the cluster that carries it. */
  readonly by: 'controller' | 'cluster';
  readonly holds: (node: string, view: FactView) => boolean;
  /** Whether it can be reached or lost by what happens to other nodes. */
  readonly dependsOnPeers?: boolean;
}

/** The frame that all blocks of a network must keep to. */
export interface NetworkFrame {
  readonly name: string;
  readonly subnets: readonly string[];
  readonly excludes: readonly string[];
  /** Blocks that the network can hand out; undefined when the profile cannot know. */
  readonly blocks: number | undefined;
}

/** How many blocks a node should have on a network and interface. */
export interface ExpectedBlocks {
  readonly network: string;
  readonly interface: string;
  readonly count: number;
}

/** Further arguments for the cluster's components: component → flag → value. */
export type ClusterArguments = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The profile, once a scenario has said what networks and nodes there are. */
export interface OperatorModel {
  readonly clusterArguments: ClusterArguments;
  /** The arithmetic for a number of fake nodes, and of pods on each: one line per network and limit. */
  readonly capacity: (nodes: number, podsPerNode: number) => readonly CapacityLine[];
  readonly resources: readonly ObservedResource[];
  /** In the order in which a node passes them. */
  readonly milestones: readonly Milestone[];
  /** Counters that must equal the number of nodes when all is well, for each network. */
  readonly counters: readonly string[];
  readonly networks: readonly NetworkFrame[];
  /** What every live node should have when all is well. */
  readonly expectedBlocks: (node: string) => readonly ExpectedBlocks[];
  /** Whether each block has a pool object of its own. */
  readonly hasPools: boolean;
  /** Undefined for operators that dial nobody. */
  readonly daemons: DaemonPlan | undefined;
  /** Networks whose daemons are told the routes to their peers. */
  readonly routedNetworks: readonly string[];
}

/** A state that a node reaches on a network of a watched cluster. */
export interface WatchedMilestone {
  readonly name: string;
  /** What is said of a node that has not reached it: `no block`. */
  readonly lack: string;
  /** Those of the nodes that have not reached it on the network. */
  readonly lacking: (
    network: string,
    nodes: readonly string[],
    view: FactView,
  ) => readonly string[];
}

/** What `sim watch` follows in a cluster of which no scenario says what networks and nodes it has. */
export interface WatchedCluster {
  /** The first is the one that a cluster without the operator lacks. Nodes must be among them. */
  readonly resources: readonly [ObservedResource, ...ObservedResource[]];
  /** The networks, given the objects of a resource by its id. */
  readonly networks: (objectsOf: (id: string) => readonly ObservedObject[]) => readonly string[];
  /** Whether the operator is to serve a node that exists. */
  readonly serves: (node: string, view: FactView) => boolean;
  /** In the order in which a node passes them. */
  readonly milestones: readonly WatchedMilestone[];
  readonly hasPools: boolean;
}

/** Where the controller under test comes from. */
export type ControllerKind = 'cluster' | 'reference' | 'toolchain' | 'command' | 'installed';

/** One NIC of a fake node, as its daemon tells it. Data only: nothing is ever sent to its address. */
export interface NicPlan {
  readonly interfaceName: string;
  /** The interface network, a CIDR. */
  readonly netAddress: string;
  readonly hostIP: string;
}

/** The daemons that an operator dials: one per fake node, on its address. */
export interface DaemonPlan {
  readonly port: number;
  /** Where their pods are, and the label by which they are found. */
  readonly pods: { readonly namespace: string; readonly label: string };
  /** The networks on which pods get addresses from them, with the interface networks that each uses; none: all. */
  readonly networks: readonly { readonly name: string; readonly masterNets: readonly string[] }[];
  /** The guarantee that one of them breaks, by name; to see that it is noticed. */
  readonly mutant?: string | undefined;
  readonly nics: (node: number) => readonly NicPlan[];
}

/** What a scenario tells a profile. */
export interface ProfileSettings<Network, Options, Nodes> {
  readonly networks: readonly Network[];
  readonly options: Options;
  readonly nodes: Nodes;
}

/**
 * What sim knows about one operator, without touching anything: the shape of its part of a scenario, which
 * objects it writes, and what they mean. The acting half is the driver of the same folder.
 */
export interface OperatorProfile {
  readonly name: string;
  /** One line for `docs/operators.md`. */
  readonly title: string;
  /** The shape of `networks`, with the rules between its entries. */
  readonly networks: z.ZodArray<z.ZodObject>;
  /** Further keys of `operator`. */
  readonly options: z.ZodRawShape;
  /** Further keys of `nodes`. */
  readonly nodeOptions: z.ZodRawShape;
  readonly milestoneNames: readonly string[];
  readonly counterNames: readonly string[];
  /** Accepted kinds of controller; the first, which must be one that a word names, is the default. */
  readonly controllers: readonly ControllerKind[];
  /** Whether it dials daemons on the nodes. */
  readonly hasDaemons?: boolean;
  /** The broken variants of its reference controller, by name. */
  readonly mutants?: readonly string[];
  readonly watched: WatchedCluster;
  readonly build: (settings: ProfileSettings<unknown, unknown, unknown>) => OperatorModel;
}

/** Declares a profile with the types of its own shapes; the list of profiles forgets them. */
export function defineProfile<
  N extends z.ZodArray<z.ZodObject>,
  O extends z.ZodRawShape,
  F extends z.ZodRawShape,
>(
  profile: Omit<OperatorProfile, 'networks' | 'options' | 'nodeOptions' | 'build'> & {
    readonly networks: N;
    readonly options: O;
    readonly nodeOptions: F;
    readonly build: (
      settings: ProfileSettings<
        z.output<N>[number],
        z.output<z.ZodObject<O>>,
        z.output<z.ZodObject<F>>
      >,
    ) => OperatorModel;
  },
): OperatorProfile {
  return profile as unknown as OperatorProfile;
}
