import type * as z from 'zod';
import type { JsonObject } from '../../src/sim/base/json.ts';
import { nodeName, parseNodeSet } from '../../src/sim/base/node-names.ts';
import { runMs } from '../../src/sim/base/units.ts';
import { objectKey } from '../../src/sim/ledger/object-store.ts';
import type { StepState } from '../../src/sim/ledger/step-fold.ts';
import type { nodeFields } from '../../src/sim/model/core-resources.ts';
import type { Fault } from '../../src/sim/model/fault.ts';
import type { ObservationOf } from '../../src/sim/model/history.ts';
import type { Projection } from '../../src/sim/model/operator-profile.ts';
import type { PlannedStep } from '../../src/sim/model/plan.ts';
import { HistoryWriter } from './history-writer.ts';
import { planned, plannedFor } from './planned-scenario.ts';
import { tableProfile } from './table-profile.ts';

type NodeFields = z.infer<typeof nodeFields>;
type Listed = ObservationOf<'snapshot'>['objects'];
interface ObjectName {
  readonly name: string;
  readonly namespace?: string;
}

/** A recording made by hand, with what happens in the steps of the plan and to the objects of the cluster. */
export class HistoryBuilder extends HistoryWriter {
  readonly #bearers = new Map<string, number>();
  #step: PlannedStep | undefined;
  #acted = 0;

  /** Of a scenario for node-ipam. */
  static of(source: JsonObject): HistoryBuilder {
    return new HistoryBuilder(planned(source));
  }

  /** Of a scenario for the table profile. */
  static ofTables(source: JsonObject): HistoryBuilder {
    return new HistoryBuilder(plannedFor(tableProfile, source));
  }

  begin(step: string): this {
    this.#step = this.planned.plan.steps.find(({ name }) => name === step);
    if (!this.#step) throw new Error(`the plan has no step ${step}`);
    this.#acted = 0;
    return this.record({ kind: 'step', phase: 'begin', step, wallMs: 1000 + this.now });
  }

  /** Ends the step in progress; with a reason, before its goal was decided. */
  finish(reason?: string): this {
    const step = this.#current().name;
    this.#step = undefined;
    const why = reason === undefined ? {} : { reason };
    return this.record({ kind: 'step', phase: 'end', step, wallMs: 1000 + this.now, ...why });
  }

  skip(step: string, reason: string): this {
    return this.record({ kind: 'step', phase: 'skip', step, reason });
  }

  /** Begins and ends the next planned actions of the step; all that are left, when no number is given. */
  act(howMany = Infinity): this {
    const { actions } = this.#current();
    for (let left = howMany; left > 0 && this.#acted < actions.length; left--)
      this.beginAction().endAction();
    return this;
  }

  beginAction(): this {
    return this.#action('begin');
  }

  endAction(error?: string): this {
    this.#action('end', error === undefined ? {} : { error });
    this.#acted++;
    return this;
  }

  /** A fake node is seen, for the first time or changed. What is not given stays as it was. */
  node(index: number, changes: Partial<NodeFields> = {}): this {
    const name = nodeName(index);
    const fresh: NodeFields = {
      run: 'r1',
      internalIP: `127.64.0.${index}`,
      podCIDRs: [],
      ready: 'True',
      taints: [],
    };
    const before = this.fold.store.get(`nodes/${name}`)?.fields as NodeFields | undefined;
    return this.object('nodes', { name }, { fields: { ...fresh, ...before, ...changes } });
  }

  /** The controller gives a node its block; another one than the node's own place in 10.244.0.0/16 on request. */
  serve(index: number, ...podCIDRs: readonly string[]): this {
    const own = `10.244.${index - 1}.0/24`;
    return this.node(index, { podCIDRs: podCIDRs.length > 0 ? [...podCIDRs] : [own] });
  }

  /** Nodes (`1-3`) get a fault. */
  fault(nodes: string, fault: Fault): this {
    return this.#fault('begin', nodes, fault);
  }

  /** They are rid of it. */
  heal(nodes: string, fault: Fault): this {
    return this.#fault('end', nodes, fault);
  }

  removeNode(index: number): this {
    return this.remove('nodes', { name: nodeName(index) });
  }

  /** An object is seen, in the form in which the recorder tells of it: what differs from before. */
  object(resource: string, { name, namespace }: ObjectName, projection: Projection): this {
    const key = objectKey(resource, { name, namespace });
    const known = this.fold.store.get(key);
    const bearer = (this.#bearers.get(key) ?? 0) + (known ? 0 : 1);
    this.#bearers.set(key, bearer);
    return this.record({
      kind: 'object',
      op: known ? 'modified' : 'added',
      ...this.#identity(resource, name, namespace),
      ...this.fold.store.delta(key, projection),
    });
  }

  remove(resource: string, { name, namespace }: ObjectName): this {
    return this.record({
      kind: 'object',
      op: 'deleted',
      ...this.#identity(resource, name, namespace),
    });
  }

  /** The final list of a kind, as the recording has it, or as the test changes it. */
  snapshot(resource = 'nodes', change: (objects: Listed) => Listed = (same) => same): this {
    const objects = this.fold.store
      .ofResource(resource)
      .map(({ name, namespace, uid, fields, rows }) => ({
        name,
        uid,
        fields,
        ...(namespace === '' ? {} : { namespace }),
        ...(rows.size === 0 ? {} : { rows: Object.fromEntries(rows) }),
      }));
    return this.record({ kind: 'snapshot', resource, objects: change(objects) });
  }

  /** How the step in progress stands, at a time. */
  state(atMs: number = this.now): StepState['kind'] | undefined {
    return this.fold.currentStep?.state(runMs(atMs)).kind;
  }

  #fault(phase: 'begin' | 'end', nodes: string, fault: Fault): this {
    const set = parseNodeSet(nodes);
    if (!set) throw new Error(`${nodes} is no set of nodes`);
    return this.record({
      kind: 'fault',
      phase,
      nodes: set.map((range) => ({ ...range })),
      fault,
      source: 'step',
    });
  }

  #current(): PlannedStep {
    if (!this.#step) throw new Error('no step is in progress');
    return this.#step;
  }

  #action(phase: 'begin' | 'end', more: { readonly error?: string } = {}): this {
    const { name: step, actions } = this.#current();
    const action = actions[this.#acted];
    if (!action) throw new Error(`${step} has no action number ${this.#acted}`);
    return this.record({ kind: 'action', phase, step, index: this.#acted, action, ...more });
  }

  #identity(resource: string, name: string, namespace: string | undefined) {
    const bearer = this.#bearers.get(objectKey(resource, { name, namespace })) ?? 1;
    return {
      resource,
      name,
      uid: `${name}/${bearer}`,
      resourceVersion: String(this.toLines().length),
      ...(namespace === undefined ? {} : { namespace }),
    };
  }
}
