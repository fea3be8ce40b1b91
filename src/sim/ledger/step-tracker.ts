import { indexesOf, inRange, nodeIndex, nodeName, rangeSize } from '../base/node-names.ts';
import { roundMs, type RunMs } from '../base/units.ts';
import { isExcused } from '../model/excuses.ts';
import type { Moment } from '../model/facts.ts';
import { GONE } from '../model/metric.ts';
import type { Milestone, OperatorModel } from '../model/operator-profile.ts';
import type { Goal, PlannedStep } from '../model/plan.ts';
import type { NodeTiming } from '../model/recorded-run.ts';
import type { Counters, CounterValue } from './counters.ts';
import type { FactBook, Touched } from './fact-book.ts';

interface Timing {
  first: RunMs | undefined;
  since: RunMs | undefined;
  inSample: boolean;
}

/** How near a step is to its goal. */
export interface Progress {
  /** By milestone: how many nodes hold it, and how many should. */
  readonly milestones: readonly {
    readonly name: string;
    readonly held: number;
    readonly of: number;
  }[];
  /** Fake nodes that should be gone and of which something is left. */
  readonly leftovers: number;
  readonly countersOff: readonly string[];
  readonly counters: readonly CounterValue[];
}

/**
 * Follows one step: for every milestone and node when it held first and since when it has held, and since when
 * everything has held. Used live, to answer the step, and again by the judge, on the same entries.
 */
export class StepTracker {
  readonly #goal: Goal;
  readonly #milestones: readonly Milestone[];
  readonly #facts: FactBook;
  readonly #counters: Counters;
  readonly #timings = new Map<string, Map<number, Timing>>();
  readonly #missing = new Map<string, number>();
  readonly #leftover = new Set<number>();
  /** Nodes of the goal that cannot be served now, because of what was done to them. */
  readonly #excused = new Set<number>();
  readonly #model: OperatorModel;
  readonly #replacesNodes: boolean;
  #quietSince: RunMs | undefined;
  #wholeSince: RunMs | undefined;
  #unrest: { readonly atMs: RunMs; readonly object: string }[] = [];

  constructor(
    step: PlannedStep,
    model: OperatorModel,
    facts: FactBook,
    counters: Counters,
    begin: Moment,
  ) {
    this.#goal = step.goal;
    this.#model = model;
    this.#replacesNodes = step.kind === 'churn';
    this.#facts = facts;
    this.#counters = counters;
    this.#milestones = model.milestones.filter(({ name }) => step.goal.milestones.includes(name));
    for (const index of indexesOf(step.goal.nodes)) this.#excuse(index);
    for (const milestone of this.#milestones) {
      this.#timings.set(milestone.name, new Map());
      this.#missing.set(milestone.name, 0);
      for (const index of indexesOf(step.goal.nodes)) this.#begin(milestone, index, begin);
    }
    this.#timings.set(GONE, new Map());
    for (const node of [...facts.nodesWithFacts()]) this.#noteLeftover(node, begin);
    this.#weigh(begin);
  }

  get quietSinceMs(): RunMs | undefined {
    return this.#quietSince;
  }

  /** Since when all milestones have held for all nodes, whatever is left of others. */
  get wholeSinceMs(): RunMs | undefined {
    return this.#wholeSince;
  }

  get unrest(): readonly { readonly atMs: RunMs; readonly object: string }[] {
    return this.#unrest;
  }

  /** Facts about some nodes, or counters, have changed. */
  touch({ nodes, blocks }: Touched, at: Moment): void {
    for (const node of nodes) {
      const index = nodeIndex(node);
      if (index === undefined) continue;
      if (inRange(this.#goal.nodes, index)) {
        this.#excuse(index);
        for (const milestone of this.#milestones) this.#look(milestone, index, at);
      } else this.#noteLeftover(node, at);
    }
    if (blocks)
      for (const milestone of this.#milestones.filter(({ dependsOnPeers }) => dependsOnPeers))
        for (const index of indexesOf(this.#goal.nodes)) this.#look(milestone, index, at);
    this.#weigh(at);
  }

  /** An object of the operator was written. Counts only while everything holds. */
  noteUnrest(object: string, at: Moment): void {
    // What the operator still does about nodes that it cannot serve, or that take the blocks of others, is not known.
    const takesTurns = this.#replacesNodes && Object.keys(this.#goal.servedAtMost).length > 0;
    const isKnown = this.#excused.size === 0 && !takesTurns;
    if (this.#quietSince !== undefined && isKnown) this.#unrest.push({ atMs: at.atMs, object });
  }

  progress(): Progress {
    const nodes = rangeSize(this.#goal.nodes);
    return {
      milestones: this.#milestones.map(({ name }) => ({
        name,
        held: nodes - (this.#missing.get(name) ?? 0),
        of: this.#wanted(name),
      })),
      leftovers: this.#leftover.size,
      countersOff: this.#countersOff(),
      counters: this.#counters.values(),
    };
  }

  /** Nodes that do not hold a milestone, in order. */
  missing(milestone: string): readonly string[] {
    const timings = this.#timings.get(milestone) ?? new Map<number, Timing>();
    return [...timings]
      .filter(([, { since }]) => since === undefined)
      .map(([index]) => nodeName(index))
      .sort(byIndex);
  }

  /**
   * The sample of each milestone, timed from `zero`; where nodes are replaced one after the other, from the creation of
   * each one's last bearer.
   */
  samples(
    zero: RunMs,
    createdMs: ReadonlyMap<number, RunMs>,
  ): ReadonlyMap<string, readonly NodeTiming[]> {
    const from = (at: RunMs | undefined, start: RunMs | undefined): number | null =>
      at === undefined || start === undefined ? null : roundMs(Math.max(0, at - start));
    return new Map(
      [...this.#timings].map(([milestone, timings]) => [
        milestone,
        [...timings]
          .filter(([, timing]) => timing.inSample)
          .sort(([a], [b]) => a - b)
          .map(([index, { first, since }]) => ({
            node: nodeName(index),
            firstMs: from(first, this.#zeroOf(index, zero, createdMs)),
            heldMs: from(since, this.#zeroOf(index, zero, createdMs)),
            sinceCreateMs: from(since, createdMs.get(index)),
          })),
      ]),
    );
  }

  #zeroOf(index: number, zero: RunMs, createdMs: ReadonlyMap<number, RunMs>): RunMs {
    return this.#replacesNodes ? (createdMs.get(index) ?? zero) : zero;
  }

  #excuse(index: number): void {
    if (isExcused(nodeName(index), this.#facts, this.#model)) this.#excused.add(index);
    else this.#excused.delete(index);
  }

  #holds(milestone: Milestone, index: number): boolean {
    return this.#excused.has(index) || milestone.holds(nodeName(index), this.#facts);
  }

  #begin(milestone: Milestone, index: number, at: Moment): void {
    const holds = this.#holds(milestone, index);
    this.#timings
      .get(milestone.name)
      ?.set(index, { first: undefined, since: holds ? at.atMs : undefined, inSample: !holds });
    if (!holds) this.#count(milestone.name, 1);
  }

  #look(milestone: Milestone, index: number, at: Moment): void {
    const timing = this.#timings.get(milestone.name)?.get(index);
    if (!timing) return;
    const holds = this.#holds(milestone, index);
    if (holds === (timing.since !== undefined)) return;
    if (holds) {
      timing.first ??= at.atMs;
      timing.since = at.atMs;
    } else {
      timing.since = undefined;
      timing.inSample = true;
    }
    this.#count(milestone.name, holds ? -1 : 1);
  }

  #count(milestone: string, by: number): void {
    this.#missing.set(milestone, (this.#missing.get(milestone) ?? 0) + by);
  }

  #noteLeftover(node: string, at: Moment): void {
    const index = nodeIndex(node);
    if (index === undefined || inRange(this.#goal.nodes, index)) return;
    const gone = this.#timings.get(GONE);
    const isLeft = this.#facts.countOf(node) > 0;
    const known = gone?.get(index);
    if (!known && !isLeft) return; // it never was there
    const timing = known ?? { first: undefined, since: undefined, inSample: true };
    gone?.set(index, timing);
    if (isLeft) {
      this.#leftover.add(index);
      timing.since = undefined;
    } else if (this.#leftover.delete(index)) {
      timing.first ??= at.atMs;
      timing.since = at.atMs;
    }
  }

  #wanted(milestone: string): number {
    const nodes = rangeSize(this.#goal.nodes);
    return Math.min(nodes, this.#goal.servedAtMost[milestone] ?? nodes);
  }

  #countersOff(): readonly string[] {
    const { nodes, servedAtMost } = this.#goal;
    const all = rangeSize(nodes);
    const fewest = Math.min(all, ...Object.values(servedAtMost)) - this.#excused.size;
    return this.#counters.notEqualTo(all, Math.max(0, fewest));
  }

  #weigh(at: Moment): void {
    const nodes = rangeSize(this.#goal.nodes);
    const whole = this.#milestones.every(
      ({ name }) => nodes - (this.#missing.get(name) ?? 0) >= this.#wanted(name),
    );
    this.#wholeSince = whole ? (this.#wholeSince ?? at.atMs) : undefined;
    const quiet = whole && this.#leftover.size === 0 && this.#countersOff().length === 0;
    if (!quiet) this.#unrest = [];
    this.#quietSince = quiet ? (this.#quietSince ?? at.atMs) : undefined;
  }
}

/** Whether a goal's milestones hold for all of its nodes, whatever else there is. */
export const goalHolds = (goal: Goal, model: OperatorModel, facts: FactBook): boolean =>
  model.milestones
    .filter(({ name }) => goal.milestones.includes(name))
    .every((milestone) =>
      [...indexesOf(goal.nodes)].every((index) => milestone.holds(nodeName(index), facts)),
    );

const byIndex = (a: string, b: string): number => (nodeIndex(a) ?? 0) - (nodeIndex(b) ?? 0);
