import { assertNever } from '../base/assert-never.ts';
import { runMs, type RunMs } from '../base/units.ts';
import type { Moment } from '../model/facts.ts';
import type { HistoryEntry, HistoryEntryOf } from '../model/history.ts';
import { observedResources } from '../model/core-resources.ts';
import type { ObservedResource, OperatorModel } from '../model/operator-profile.ts';
import type { Plan } from '../model/plan.ts';
import type { RecordedRun, RecordingHole, StepEnd, WatchGap } from '../model/recorded-run.ts';
import { AskFold } from './ask-fold.ts';
import { Counters } from './counters.ts';
import { CallFold } from './call-fold.ts';
import { Disturbances, type Wholeness } from './disturbances.ts';
import { FactBook, type Touched } from './fact-book.ts';
import { FaultFold } from './fault-fold.ts';
import { KeptEntries } from './kept-entries.ts';
import { NodeLives } from './node-lives.ts';
import { ObjectStore, type ObjectChange } from './object-store.ts';
import { compareSnapshot } from './snapshot.ts';
import { stepEndOf } from './step-end.ts';
import { StepFold } from './step-fold.ts';

/** Between steps nothing is waited for. */
const NOTHING: Wholeness = { isWhole: false, isProven: false };

/**
 * Folds a recording, entry by entry, into all that judging needs. The live run feeds it as it records, `sim judge`
 * feeds it from the file: both come to the same result because it is the same fold over the same entries.
 */
export class RunFold {
  readonly store = new ObjectStore();
  readonly facts: FactBook;
  readonly #plan: Plan;
  readonly #model: OperatorModel;
  readonly #resources: ReadonlyMap<string, ObservedResource>;
  readonly #counters: Counters;
  readonly #lives: NodeLives;
  readonly #calls: CallFold;
  readonly #asks: AskFold;
  readonly #faults: FaultFold;
  readonly #disturbances: Disturbances;
  readonly #steps: StepFold[];
  readonly #stepEnds: StepEnd[] = [];
  readonly #gaps: WatchGap[] = [];
  readonly #holes: RecordingHole[] = [];
  readonly #unended = new Map<string, string>();
  readonly #kept = new KeptEntries();
  readonly #snapshots = { compared: 0, differences: [] as string[] };
  readonly #unknownKinds = new Set<string>();
  #begunActions = 0;
  #resumes = 0;
  #current: StepFold | undefined;
  #last: RunMs = runMs(0);
  #lastChange: RunMs = runMs(0);
  #nextSeq = 0;

  constructor(plan: Plan, model: OperatorModel) {
    const resources = observedResources(model.resources);
    this.#plan = plan;
    this.#model = model;
    this.#resources = new Map(resources.map((resource) => [resource.id, resource]));
    this.facts = new FactBook(resources);
    this.#counters = new Counters(
      model.networks.map(({ name }) => name),
      model.counters,
    );
    this.#lives = new NodeLives();
    this.#calls = new CallFold(this.facts);
    this.#asks = new AskFold(this.facts);
    this.#faults = new FaultFold(this.facts);
    this.#disturbances = new Disturbances(model, this.facts);
    this.#steps = plan.steps.map((step) => new StepFold(step, model, this.facts, this.#counters));
  }

  /** The step that has begun and not yet ended. */
  get currentStep(): StepFold | undefined {
    return this.#current;
  }

  apply(entry: HistoryEntry): void {
    const at: Moment = { seq: entry.seq, atMs: runMs(entry.atMs) };
    this.#last = at.atMs;
    this.#number(entry.seq);
    switch (entry.kind) {
      case 'object':
        this.#applyObject(entry, at);
        return;
      case 'step':
        this.#applyStep(entry, at);
        return;
      case 'action':
        this.#applyAction(entry, at);
        return;
      case 'call':
        for (const touched of this.#calls.apply(entry, at)) this.#note(touched, at);
        return;
      case 'fault':
        this.#applyFault(entry, at);
        return;
      case 'allocation':
        this.#applyAllocation(entry, at);
        return;
      case 'gap':
        this.#gaps.push({ ...entry, fromMs: runMs(entry.fromMs), toMs: at.atMs });
        return;
      case 'resume':
        this.#resumes++;
        return;
      case 'snapshot':
        this.#snapshots.compared++;
        this.#snapshots.differences.push(...compareSnapshot(entry, this.store));
        return;
      default:
        this.#kept.add(entry);
    }
  }

  /** An entry of a kind that this version does not know. */
  passOver(kind: string, seq: number): void {
    this.#number(seq);
    this.#unknownKinds.add(kind);
  }

  /** The run as far as it has been recorded. Throws a RangeError when there was no header. */
  result(): RecordedRun {
    const header = this.#kept.header;
    if (!header) throw new RangeError('the recording has no header');
    return {
      header,
      environment: this.#kept.environment,
      plan: this.#plan,
      ledger: {
        networks: this.#model.networks,
        hasPools: this.#model.hasPools,
        hasDaemons: this.#model.daemons !== undefined,
        nodes: this.#lives.all(),
        stepEnds: this.#stepEnds,
        facts: (kind) => this.facts.ofKind(kind),
        allFacts: () => this.facts.all(),
      },
      steps: this.#steps.map((step) => step.record()),
      gaps: this.#gaps,
      holes: this.#holes,
      resumes: this.#resumes,
      stalls: this.#kept.stalls,
      nudges: this.#kept.nudges,
      interferences: this.#lives.interferences(),
      disturbances: this.#disturbances.records(),
      allocations: this.#kept.allocations,
      actions: { begun: this.#begunActions, unended: [...this.#unended.values()] },
      controllerEvents: this.#kept.controllerEvents,
      componentExits: this.#kept.componentExits,
      canary: this.#kept.canary,
      usage: this.#kept.usage,
      controllerMetrics: this.#kept.controllerMetrics,
      api: this.#kept.api,
      snapshots: this.#snapshots,
      end: this.#kept.end,
      lastMs: this.#last,
      unknownKinds: [...this.#unknownKinds],
    };
  }

  /** Entries count without a hole: what is missing was recorded and got lost. */
  #number(seq: number): void {
    if (seq > this.#nextSeq)
      this.#holes.push({ fromSeq: this.#nextSeq, toSeq: seq - 1, atMs: this.#last });
    this.#nextSeq = Math.max(this.#nextSeq, seq + 1);
  }

  #applyObject(entry: HistoryEntryOf<'object'>, at: Moment): void {
    const change = this.store.apply(entry);
    if (entry.resource === 'nodes') this.#lives.apply(change, at);
    // First: the write with which everything begins to hold is none at rest.
    if (this.#isUnrest(change)) this.#current?.noteUnrest(change.key, at);
    this.#note(this.facts.apply(change, at), at);
    if (entry.resource !== 'nodes') return;
    if (entry.op !== 'deleted') this.#calls.welcome(entry.name);
    else
      for (const touched of [
        ...this.#calls.forget(entry.name, at),
        ...this.#asks.forget(entry.name, at),
      ])
        this.#note(touched, at);
  }

  #applyAllocation(entry: HistoryEntryOf<'allocation'>, at: Moment): void {
    this.#kept.add(entry);
    if (this.#plan.overflowExpected)
      for (const touched of this.#asks.refused(entry, at)) this.#note(touched, at);
  }

  #applyFault(entry: HistoryEntryOf<'fault'>, at: Moment): void {
    this.#disturbances.fault(entry, this.#current?.name, at.atMs);
    for (const touched of this.#faults.apply(entry, at)) this.#note(touched, at);
    this.#lookAtDisturbances('all', at);
  }

  #lookAtDisturbances(nodes: ReadonlySet<string> | 'all', at: Moment): void {
    this.#disturbances.look(nodes, this.#current ?? NOTHING, at.atMs);
  }

  #note(touched: Touched, at: Moment): void {
    this.#counters.update(touched.counters, at, this.#current?.isShrinking() ?? false);
    if (touched.nodes.size === 0 && touched.counters.length === 0) return;
    this.#lastChange = at.atMs;
    this.#current?.touch(touched, at);
    this.#lookAtDisturbances(touched.blocks ? 'all' : touched.nodes, at);
  }

  #isUnrest({ resource, before, after }: ObjectChange): boolean {
    const unrest = this.#resources.get(resource)?.unrest;
    if (unrest === undefined || unrest === 'any-write') return unrest === 'any-write';
    return unrest({ before: before?.fields, after: after?.fields });
  }

  #applyStep(entry: HistoryEntryOf<'step'>, at: Moment): void {
    const step = this.#steps.find(({ name }) => name === entry.step);
    if (!step) return;
    switch (entry.phase) {
      case 'begin':
        step.begin(at, entry.wallMs ?? 0);
        this.#current = step;
        return;
      case 'skip':
        step.skip(entry.reason);
        return;
      case 'end':
        step.end(at, entry.wallMs ?? 0, entry.reason);
        this.#disturbances.stepEnded(at.atMs);
        this.#current = undefined;
        this.#stepEnds.push(
          stepEndOf(step, at, this.#lastChange, {
            nodes: this.#lives.living(),
            model: this.#model,
            facts: this.facts,
          }),
        );
        return;
      default:
        assertNever(entry.phase);
    }
  }

  #applyAction(entry: HistoryEntryOf<'action'>, at: Moment): void {
    const id = `${entry.step}[${entry.index}] ${entry.action.kind}`;
    if (entry.phase === 'begin') {
      this.#begunActions++;
      this.#unended.set(id, id);
      const step = this.#current;
      if (entry.action.kind === 'delete-node')
        this.#lives.removalBegun(entry.action.node, step?.removal ?? 'node-first');
    } else this.#unended.delete(id);
    this.#disturbances.action(entry, at.atMs);
    this.#current?.action(entry, at);
    if (entry.phase === 'begin')
      for (const touched of this.#asks.begin(entry.action, at)) this.#note(touched, at);
    this.#lookAtDisturbances('all', at);
  }
}
