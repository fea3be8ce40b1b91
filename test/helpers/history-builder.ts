import type * as z from 'zod';
import { sameJson, type JsonObject } from '../../src/sim/base/json.ts';
import { nodeName } from '../../src/sim/base/node-names.ts';
import { runMs, type RunMs } from '../../src/sim/base/units.ts';
import { objectKey } from '../../src/sim/ledger/object-store.ts';
import { RunFold } from '../../src/sim/ledger/run-fold.ts';
import type { nodeFields } from '../../src/sim/model/core-resources.ts';
import {
  parseHistoryLine,
  type Observation,
  type ObservationOf,
} from '../../src/sim/model/history.ts';
import type { Projection } from '../../src/sim/model/operator-profile.ts';
import type { PlannedAction, PlannedStep } from '../../src/sim/model/plan.ts';
import type { RecordedRun } from '../../src/sim/model/recorded-run.ts';
import type { StepState } from '../../src/sim/ledger/step-fold.ts';
import { headerFor, environment } from './history-header.ts';
import { planned, plannedFor, type Planned } from './planned-scenario.ts';
import { tableProfile } from './table-profile.ts';

type NodeFields = z.infer<typeof nodeFields>;
type Details<K extends Observation['kind']> = Omit<ObservationOf<K>, 'kind'>;
interface ObjectName {
  readonly name: string;
  readonly namespace?: string;
}

/**
 * A recording made by hand. Every entry is written as a line, read back through the real schema and given to the
 * real fold of the real plan, so that an entry which sim could not have written cannot be built. Time stands still
 * between two calls of `at`.
 */
export class HistoryBuilder {
  readonly planned: Planned;
  readonly fold: RunFold;
  readonly #lines: string[] = [];
  readonly #bearers = new Map<string, number>();
  #atMs = 0;
  #step: PlannedStep | undefined;
  #acted = 0;

  constructor(given: Planned) {
    this.planned = given;
    this.fold = new RunFold(given.plan, given.model);
    this.record(headerFor(given));
  }

  /** Of a scenario for node-ipam. */
  static of(source: JsonObject): HistoryBuilder {
    return new HistoryBuilder(planned(source));
  }

  /** Of a scenario for the table profile. */
  static ofTables(source: JsonObject): HistoryBuilder {
    return new HistoryBuilder(plannedFor(tableProfile, source));
  }

  get now(): RunMs {
    return runMs(this.#atMs);
  }

  /** What follows happens then. */
  at(ms: number): this {
    if (ms < this.#atMs) throw new RangeError(`time goes back from ${this.#atMs} to ${ms}`);
    this.#atMs = ms;
    return this;
  }

  record(observation: Observation): this {
    const written = { ...observation, seq: this.#lines.length, atMs: this.#atMs };
    const line = JSON.stringify(written);
    const read = parseHistoryLine(line);
    if (!('known' in read)) throw new Error(`unknown kind in ${line}`);
    if (!sameJson(read.known, JSON.parse(line)))
      throw new Error(`the schema does not keep all of ${line}`);
    this.#lines.push(line);
    this.fold.apply(read.known);
    return this;
  }

  /** A line of a kind that only a later version knows. */
  unknown(kind: string): this {
    this.#lines.push(JSON.stringify({ kind, seq: this.#lines.length, atMs: this.#atMs }));
    this.fold.passOver(kind);
    return this;
  }

  begin(step: string): this {
    this.#step = this.planned.plan.steps.find(({ name }) => name === step);
    if (!this.#step) throw new Error(`the plan has no step ${step}`);
    this.#acted = 0;
    return this.record({ kind: 'step', phase: 'begin', step, wallMs: 1000 + this.#atMs });
  }

  /** Ends the step in progress; with a reason, before its goal was decided. */
  finish(reason?: string): this {
    const step = this.#current().name;
    this.#step = undefined;
    const why = reason === undefined ? {} : { reason };
    return this.record({ kind: 'step', phase: 'end', step, wallMs: 1000 + this.#atMs, ...why });
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

  /** The action that comes next, or is in progress. */
  get nextAction(): PlannedAction | undefined {
    return this.#step?.actions[this.#acted];
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

  /** The environment, and a controller that is ready. */
  ready(): this {
    return this.record(environment).controller('ready', { pid: 100 });
  }

  controller(
    event: ObservationOf<'controller'>['event'],
    details: Omit<Details<'controller'>, 'event'> = {},
  ): this {
    return this.record({ kind: 'controller', event, ...details });
  }

  canary(changes: Partial<Details<'canary'>> = {}): this {
    return this.record({
      kind: 'canary',
      observationMs: 5,
      writeMs: 3,
      loopDelayMs: 1,
      ...changes,
    });
  }

  /** A watch that was lost some time ago is up again now. */
  gap(fromMs: number, resource = 'nodes'): this {
    return this.record({ kind: 'gap', resource, reason: '410 Gone', fromMs });
  }

  /** The final list of a kind, as the recording has it, or as the test changes it. */
  snapshot(
    resource = 'nodes',
    change: (objects: Details<'snapshot'>['objects']) => Details<'snapshot'>['objects'] = (same) =>
      same,
  ): this {
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

  end(reason: ObservationOf<'end'>['reason'] = 'completed', code?: string): this {
    return this.record({ kind: 'end', reason, ...(code === undefined ? {} : { code }) });
  }

  /** How the step in progress stands, at a time. */
  state(atMs: number = this.#atMs): StepState['kind'] | undefined {
    return this.fold.currentStep?.state(runMs(atMs)).kind;
  }

  result(): RecordedRun {
    return this.fold.result();
  }

  /** The recording as JSONL. */
  toLines(): readonly string[] {
    return this.#lines;
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
      resourceVersion: String(this.#lines.length),
      ...(namespace === undefined ? {} : { namespace }),
    };
  }
}
