import type { JsonObject } from '../../src/sim/base/json.ts';
import { nodeName } from '../../src/sim/base/node-names.ts';
import type { ObservationOf } from '../../src/sim/model/history.ts';
import type { OperatorProfile } from '../../src/sim/model/operator-profile.ts';
import { multiNicProfile } from '../../src/sim/operators/multi-nic/profile.ts';
import type { Route } from '../../src/stubs/daemon/contract.ts';
import { RouteTables } from '../../src/stubs/daemon/route-table.ts';
import { HistoryBuilder } from './history-builder.ts';
import * as raw from './multi-nic-raw.ts';
import { planned, plannedFor } from './planned-scenario.ts';

type Call = ObservationOf<'call'>;
type Allocation = ObservationOf<'allocation'>;

/** The same operator, of which nobody expects one of its milestones. */
const profileWithout = (milestone: string): OperatorProfile => ({
  ...multiNicProfile,
  milestoneNames: multiNicProfile.milestoneNames.filter((name) => name !== milestone),
  build: (settings) => {
    const model = multiNicProfile.build(settings);
    return { ...model, milestones: model.milestones.filter(({ name }) => name !== milestone) };
  },
});

/**
 * A recording of a multi-nic operator. Its objects are given as the API server has them, and trimmed by the profile;
 * its daemons keep their tables as the daemon stubs do.
 */
export class MultiNicHistory extends HistoryBuilder {
  readonly #tables = new Map<number, RouteTables>();

  /** Its first step has begun, and its nodes were seen at 100 ms. */
  static begun(changes: JsonObject = {}): MultiNicHistory {
    return new MultiNicHistory(planned(raw.multiNicScenario(changes))).#start();
  }

  /** The same, where steps converge without a milestone: only an invariant can tell that something is amiss. */
  static begunWithout(milestone: string, changes: JsonObject = {}): MultiNicHistory {
    const profile = profileWithout(milestone);
    return new MultiNicHistory(plannedFor(profile, raw.multiNicScenario(changes))).#start();
  }

  /** An object is seen. */
  see(resource: string, object: raw.Raw): this {
    const row = this.planned.model.resources.find(({ id }) => id === resource);
    if (!row) throw new Error(`the profile does not watch ${resource}`);
    return this.object(resource, object.metadata, row.project(object));
  }

  /** The daemon pod and the interfaces of a node are known. */
  discovered(node: number, ...nics: readonly number[]): this {
    const known = nics.length > 0 ? nics : raw.INTERFACES.keys();
    return this.see('pods', raw.rawDaemonPod(node)).see(
      'hostinterfaces',
      raw.rawHostInterface(node, ...known),
    );
  }

  /** A node goes, and with it what the cluster and the operator's discovery had of it. Its blocks and pools stay. */
  gone(node: number): this {
    const { name, namespace } = raw.rawDaemonPod(node).metadata;
    return this.removeNode(node)
      .remove('pods', { name, ...(namespace === undefined ? {} : { namespace }) })
      .remove('hostinterfaces', { name: nodeName(node) });
  }

  /** All rows of the CIDR object as they are from now on. */
  cidr(...rows: readonly raw.CidrRow[]): this {
    return this.see('cidrs', raw.rawCidr(rows));
  }

  pool(node: number, nic: number, changes: JsonObject = {}, name?: string): this {
    return this.see('ippools', raw.rawPool(node, nic, changes, name));
  }

  removePool(node: number, nic: number): this {
    return this.remove('ippools', { name: raw.poolName(raw.blockOf(node, nic)) });
  }

  /** The addresses of a pool as they are given from now on: pods by their numbers. */
  leased(node: number, nic: number, pods: Readonly<Record<number, string>>): this {
    const allocations = Object.entries(pods).map(([index, pod]) =>
      raw.allocationOf(node, nic, pod, Number(index)),
    );
    return this.pool(node, nic, { allocations });
  }

  counters(total: number, available = total, processed = total): this {
    return this.see('multinicnetworks', raw.rawNetwork(total, available, processed));
  }

  /** A daemon was told routes, in place of those before. */
  told(node: number, routes: readonly Route[], changes: Partial<Call> = {}): this {
    const tables = this.#tables.get(node) ?? new RouteTables();
    this.#tables.set(node, tables);
    const table = tables.add(raw.NETWORK, routes, true);
    const told = { network: raw.NETWORK, force: true, routes: routes.length, table };
    return this.call(node, '/addl3', { kind: 'addl3', ...told }, changes);
  }

  /** The daemons of all these nodes were told the routes to one another. */
  toldAll(...nodes: readonly number[]): this {
    for (const node of nodes) this.told(node, routesTo(node, nodes));
    return this;
  }

  /** A daemon gave addresses to a pod, by the interfaces' numbers; with another path, took them back. */
  granted(
    node: number,
    owner: string,
    addresses: Readonly<Record<number, string>>,
    changes: Partial<Call> = {},
  ): this {
    const granted = Object.entries(addresses).map(([nic, ip]) => ({
      interface: raw.nicName(Number(nic)),
      ip,
    }));
    const detail: Call['detail'] = {
      kind: 'pod',
      ...raw.podNamed(owner),
      network: raw.NETWORK,
      asked: granted.map((one) => one.interface),
      granted,
      omitted: [],
    };
    return this.call(node, '/allocate', detail, changes);
  }

  call(node: number, path: string, detail: Call['detail'], changes: Partial<Call> = {}): this {
    return this.record({
      kind: 'call',
      node: nodeName(node),
      method: 'POST',
      path,
      status: 200,
      durationMs: 1,
      requestBytes: 100,
      replyBytes: 20,
      detail,
      ...changes,
    });
  }

  /** What became of a pod's request, in the words of the step in progress. */
  allocation(node: number, owner: string, changes: Partial<Allocation> = {}): this {
    const asked = [...raw.INTERFACES];
    const granted = asked.map((name, nic) => ({
      interface: name,
      ip: raw.addressOf(node, nic, 1),
    }));
    return this.record({
      kind: 'allocation',
      verb: 'allocate',
      step: this.fold.currentStep?.name ?? '',
      node: nodeName(node),
      owner,
      network: raw.NETWORK,
      status: 'complete',
      asked,
      granted,
      latencyMs: 10,
      retries: 0,
      problem: null,
      ...changes,
    });
  }

  /** All that the operator does for nodes 1 to n, but for the routes. */
  servedButRoutes(nodes: number): this {
    const all = Array.from({ length: nodes }, (_, i) => i + 1);
    for (const node of all) this.discovered(node);
    this.cidr(...raw.rowsOf(...all));
    for (const { node, nic } of raw.rowsOf(...all)) this.pool(node, nic);
    return this.counters(nodes);
  }

  /** All that the operator does for nodes 1 to n. */
  served(nodes: number): this {
    const all = Array.from({ length: nodes }, (_, i) => i + 1);
    return this.servedButRoutes(nodes).toldAll(...all);
  }

  #start(): this {
    const [step] = this.planned.plan.steps;
    if (!step) throw new Error('the plan has no step');
    this.ready().begin(step.name).act().at(100);
    for (let node = 1; node <= step.nodesAfter; node++) this.node(node);
    return this;
  }
}

/** The routes from a node to the blocks of the others, over the interfaces that they share. */
export const routesTo = (node: number, nodes: readonly number[]): readonly Route[] =>
  raw
    .rowsOf(...nodes)
    .filter((row) => row.node !== node)
    .map(({ node: peer, nic }) => ({
      net: raw.blockOf(peer, nic),
      via: raw.hostIPOf(peer, nic),
      iface: raw.nicName(nic),
    }));

/** Two nodes served at 500 ms; the step has settled at 2500 ms. */
export const multiNicServed = (changes: JsonObject = {}): MultiNicHistory =>
  MultiNicHistory.begun(changes).at(500).served(2).at(2500).finish();
