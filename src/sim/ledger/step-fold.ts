import { formatDuration } from '../base/duration.ts';
import { formatRange } from '../base/node-names.ts';
import { count, some } from '../base/text.ts';
import { runMs, type RunMs } from '../base/units.ts';
import type { Moment } from '../model/facts.ts';
import type { HistoryEntryOf } from '../model/history.ts';
import type { OperatorModel } from '../model/operator-profile.ts';
import type { Goal, PlannedStep, RemovalOrder } from '../model/plan.ts';
import type { StepOutcome, StepRecord } from '../model/recorded-run.ts';
import type { Counters } from './counters.ts';
import type { FactBook, Touched } from './fact-book.ts';
import { goalHolds, StepTracker, type Progress } from './step-tracker.ts';

/** How a step stands, for the one that waits on it. */
export type StepState =
  | { readonly kind: 'pending' }
  /** Everything holds; if it stays so until then, the step has converged. */
  | { readonly kind: 'settling'; readonly untilMs: RunMs }
  | { readonly kind: 'converged' }
  | { readonly kind: 'missed' };

/** One step of the plan, as the recording tells it. */
export class StepFold {
  readonly name: string;
  readonly #plan: PlannedStep;
  readonly #model: OperatorModel;
  readonly #facts: FactBook;
  readonly #counters: Counters;
  readonly #asksForProof: boolean;
  readonly #created = new Map<number, RunMs>();
  #tracker: StepTracker | undefined;
  #begin: Moment | undefined;
  #end: Moment | undefined;
  #wall = { begin: 0, end: 0 };
  #zero: RunMs | undefined;
  #actionsEnded: RunMs | undefined;
  #hasDeleted = false;
  #recoveryFrom: RunMs | undefined;
  #awaited: { readonly goal: Goal; heldAt: RunMs | undefined } | undefined;
  #record: StepRecord | undefined;
  #skipped: { readonly reason: string | undefined } | undefined;

  constructor(plan: PlannedStep, model: OperatorModel, facts: FactBook, counters: Counters) {
    this.name = plan.name;
    this.#plan = plan;
    this.#asksForProof = plan.actions.some(({ kind }) => kind === 'await');
    this.#model = model;
    this.#facts = facts;
    this.#counters = counters;
  }

  get removal(): RemovalOrder | undefined {
    return this.#plan.removal;
  }

  /** Whether there are fewer nodes now than before: those of the step, or the probe of a restart. */
  isShrinking(): boolean {
    return this.#hasDeleted || this.#plan.nodesAfter < this.#plan.nodesBefore;
  }

  begin(at: Moment, wallMs: number): void {
    this.#begin = at;
    this.#wall.begin = wallMs;
    this.#tracker = new StepTracker(this.#plan, this.#model, this.#facts, this.#counters, at);
  }

  skip(reason: string | undefined): void {
    this.#skipped = { reason };
  }

  touch(touched: Touched, at: Moment): void {
    this.#tracker?.touch(touched, at);
    if (this.#awaited && this.#awaited.heldAt === undefined) this.#lookAtAwaited(at);
  }

  noteUnrest(object: string, at: Moment): void {
    this.#tracker?.noteUnrest(object, at);
  }

  action({ phase, action }: HistoryEntryOf<'action'>, at: Moment): void {
    if (phase === 'begin') {
      this.#zero ??= at.atMs;
      if (action.kind === 'create-node') this.#created.set(action.node, at.atMs);
      if (action.kind === 'delete-node') this.#hasDeleted = true;
      if (action.kind === 'await') {
        this.#awaited = { goal: action.goal, heldAt: undefined };
        this.#lookAtAwaited(at);
      }
    } else {
      this.#actionsEnded = at.atMs;
      if (action.kind.startsWith('restart-') || action.kind === 'heal')
        this.#recoveryFrom = at.atMs;
    }
  }

  /** Whether the goal of the `await` action in progress has been reached. */
  awaitedHolds(): boolean {
    return this.#awaited?.heldAt !== undefined;
  }

  /** The goal of the `await` action in progress, while it is not reached. */
  get awaiting(): Goal | undefined {
    return this.#awaited?.heldAt === undefined ? this.#awaited?.goal : undefined;
  }

  /** Whether all milestones hold now. */
  get isWhole(): boolean {
    return this.#tracker?.wholeSinceMs !== undefined;
  }

  /** The same, and a proof of life that the step asks for has been given. */
  get isProven(): boolean {
    return this.isWhole && (!this.#asksForProof || this.#awaited?.heldAt !== undefined);
  }

  /** Whether everything holds at this moment. */
  get isQuiet(): boolean {
    return this.#tracker?.quietSinceMs !== undefined;
  }

  /** When its first action was sent. */
  get zeroMs(): RunMs | undefined {
    return this.#zero;
  }

  progress(): Progress | undefined {
    return this.#tracker?.progress();
  }

  missing(milestone: string): readonly string[] {
    return this.#tracker?.missing(milestone) ?? [];
  }

  /** To be asked once all actions have ended. */
  state(now: RunMs): StepState {
    const zero = this.#zero ?? this.#begin?.atMs ?? now;
    if (this.#plan.awaitsNothing === true) return { kind: 'converged' };
    // A proof of life that failed cannot be made good by taking the probe away again.
    if (this.#awaited && this.#awaited.heldAt === undefined) return { kind: 'missed' };
    const from = this.#plan.boundsFromEnd === true ? (this.#actionsEnded ?? zero) : zero;
    const quiet = this.#tracker?.quietSinceMs;
    const inTime = quiet !== undefined && this.#convergedMs(quiet, from) <= this.#plan.withinMs;
    if (!inTime) return { kind: now - from >= this.#plan.withinMs ? 'missed' : 'pending' };
    const untilMs = runMs(Math.max(quiet, this.#actionsEnded ?? quiet) + this.#plan.settleMs);
    return now >= untilMs ? { kind: 'converged' } : { kind: 'settling', untilMs };
  }

  end(at: Moment, wallMs: number, reason: string | undefined): void {
    this.#end = at;
    this.#wall.end = wallMs;
    const converged = reason === undefined && this.state(at.atMs).kind === 'converged';
    this.#record = this.#makeRecord(
      reason !== undefined ? 'unfinished' : converged ? 'converged' : 'failed',
      reason ?? (converged ? undefined : this.#whyNot()),
    );
  }

  record(): StepRecord {
    if (this.#record) return this.#record;
    if (this.#skipped) return this.#makeRecord('skipped', this.#skipped.reason);
    return this.#makeRecord(
      this.#begin ? 'unfinished' : 'skipped',
      this.#begin ? 'the recording ends within the step' : 'the run ended before it',
    );
  }

  /** A step's own actions may be seen to have worked before their answers came: never less than nothing. */
  #convergedMs(quiet: RunMs, from: RunMs): number {
    return Math.max(0, quiet - from);
  }

  #lookAtAwaited(at: Moment): void {
    if (this.#awaited && goalHolds(this.#awaited.goal, this.#model, this.#facts))
      this.#awaited.heldAt = at.atMs;
  }

  #makeRecord(outcome: StepOutcome, reason: string | undefined): StepRecord {
    const tracker = this.#tracker;
    const zero = this.#zero ?? this.#begin?.atMs;
    return {
      plan: this.#plan,
      outcome,
      reason,
      begin: this.#begin,
      end: this.#end,
      wallMs: this.#end && { ...this.#wall },
      zeroMs: zero,
      quietSinceMs: tracker?.quietSinceMs,
      samples: tracker && zero !== undefined ? tracker.samples(zero, this.#created) : new Map(),
      counters: this.#end ? this.#counters.takeRecords() : new Map(),
      unrest: tracker?.unrest ?? [],
      recovery: this.#recovery(),
    };
  }

  #recovery(): StepRecord['recovery'] {
    if (this.#recoveryFrom === undefined) return undefined;
    const whole = this.#tracker?.wholeSinceMs;
    const proof = this.#awaited ? this.#awaited.heldAt : this.#recoveryFrom;
    const recovered = whole !== undefined && proof !== undefined;
    return {
      fromMs: this.#recoveryFrom,
      toMs: recovered ? runMs(Math.max(whole, proof, this.#recoveryFrom)) : undefined,
    };
  }

  #whyNot(): string {
    if (this.#awaited && this.#awaited.heldAt === undefined)
      return `no proof of life: ${this.#awaited.goal.milestones.join(', ')} not reached for ${formatRange(this.#awaited.goal.nodes)}`;
    const progress = this.progress();
    const short = (progress?.milestones ?? [])
      .filter(({ held, of }) => held < of)
      .map(
        ({ name, held, of }) =>
          `${name} holds for ${held} of ${count(of, 'node')}, not for ${some(this.missing(name), 3)}`,
      );
    const left = progress?.leftovers ?? 0;
    const parts = [
      ...short,
      ...(left > 0 ? [`something is left of ${count(left, 'removed node')}`] : []),
      ...(progress?.countersOff ?? []),
    ];
    if (this.#plan.withinMs === 0)
      return parts.length > 0 ? `lost: ${parts.join('; ')}` : 'something was lost for a time';
    const late = `not within ${formatDuration(this.#plan.withinMs)}`;
    return parts.length > 0 ? `${late}: ${parts.join('; ')}` : `${late}: it held, but too late`;
  }
}
