import { indexesOfSet, nodeName, type NodeSet } from '../base/node-names.ts';
import type { RunMs } from '../base/units.ts';
import { faultKey, formatFault } from '../model/fault.ts';
import type { HistoryEntryOf } from '../model/history.ts';
import type { FactView, OperatorModel } from '../model/operator-profile.ts';
import type { PlannedAction } from '../model/plan.ts';
import type { Disturbance } from '../model/recorded-run.ts';

/** A node that lacks something which it should have, and since when. */
interface Stall {
  since: RunMs | undefined;
  longestMs: number;
}

interface Open {
  readonly what: string;
  readonly nodes: NodeSet;
  readonly beginMs: RunMs;
  /** Nodes that still have the fault. */
  readonly left: Set<number>;
  readonly stalls: Map<string, Stall>;
  readonly key: string;
  /** A controller that is dead looks as if all were well. */
  readonly needsProof: boolean;
  endStep: string | undefined;
  endMs: RunMs | undefined;
  wholeMs: RunMs | undefined;
  /** Nothing that happens from now on changes when all was well again. */
  isFinal: boolean;
}

/** Whether everything holds now that the step waits for, and whether a proof of life has been given, too. */
export interface Wholeness {
  readonly isWhole: boolean;
  readonly isProven: boolean;
}

/**
 * The restarts and faults of a run: how long each lasted, which nodes got nowhere meanwhile, and when all was well again
 * for good: until the end of the step in which it ended, or the next disturbance.
 */
export class Disturbances {
  readonly #all: Open[] = [];
  readonly #model: OperatorModel;
  readonly #facts: FactView;

  constructor(model: OperatorModel, facts: FactView) {
    this.#model = model;
    this.#facts = facts;
  }

  records(): readonly Disturbance[] {
    return this.#all.map(({ what, nodes, beginMs, endMs, endStep, wholeMs, stalls }) => ({
      what,
      nodes,
      beginMs,
      endMs,
      endStep,
      wholeMs,
      stalls: [...stalls]
        .map(([node, { longestMs }]) => ({ node, ms: longestMs }))
        .filter(({ ms }) => ms > 0)
        .sort((a, b) => b.ms - a.ms),
    }));
  }

  action({ phase, step, action }: HistoryEntryOf<'action'>, at: RunMs): void {
    const what = restartOf(action);
    if (what === undefined) return;
    const nodes = action.kind === 'restart-daemons' ? action.nodes : [];
    if (phase === 'begin') this.#begin(what, what, nodes, action.kind !== 'restart-daemons', at);
    else this.#end(what, nodes, step, at);
  }

  fault(entry: HistoryEntryOf<'fault'>, step: string | undefined, at: RunMs): void {
    const { phase, fault, nodes } = entry;
    if (phase === 'begin') this.#begin(formatFault(fault), faultKey(fault), nodes, false, at);
    else this.#end(faultKey(fault), nodes, step, at);
  }

  /** Facts about nodes have changed. */
  look(touched: ReadonlySet<string> | 'all', { isWhole, isProven }: Wholeness, at: RunMs): void {
    for (const one of this.#all.filter(({ isFinal }) => !isFinal)) {
      for (const [node, stall] of one.stalls)
        if (touched === 'all' || touched.has(node)) this.#lookAt(node, stall, at);
      if (one.endMs === undefined) continue;
      const isWell = one.needsProof ? isProven : isWhole;
      one.wholeMs = isWell ? (one.wholeMs ?? at) : undefined;
    }
  }

  /** What has ended and is well again by now stays so. */
  stepEnded(at: RunMs): void {
    for (const one of this.#all) {
      if (one.endMs === undefined) continue;
      for (const stall of one.stalls.values()) close(stall, at);
      one.isFinal = true;
    }
  }

  #begin(what: string, key: string, nodes: NodeSet, needsProof: boolean, at: RunMs): void {
    for (const one of this.#all) one.isFinal ||= one.wholeMs !== undefined;
    const left = new Set(indexesOfSet(nodes));
    const stalls = new Map(
      [...left].map((index): [string, Stall] => [
        nodeName(index),
        { since: undefined, longestMs: 0 },
      ]),
    );
    const begun: Open = {
      what,
      key,
      needsProof,
      nodes,
      beginMs: at,
      left,
      stalls,
      endStep: undefined,
      endMs: undefined,
      wholeMs: undefined,
      isFinal: false,
    };
    this.#all.push(begun);
    for (const [node, stall] of stalls) this.#lookAt(node, stall, at);
  }

  #end(key: string, nodes: NodeSet, step: string | undefined, at: RunMs): void {
    for (const one of this.#all.filter((open) => open.key === key && open.endMs === undefined)) {
      for (const index of indexesOfSet(nodes)) one.left.delete(index);
      if (one.left.size > 0) continue;
      one.endMs = at;
      one.endStep = step;
    }
  }

  #lookAt(node: string, stall: Stall, at: RunMs): void {
    const exists = this.#facts.of(node, 'node').length > 0;
    const lacks = exists && !this.#model.milestones.every(({ holds }) => holds(node, this.#facts));
    if (!lacks) close(stall, at);
    else stall.since ??= at;
  }
}

function close(stall: Stall, at: RunMs): void {
  if (stall.since === undefined) return;
  stall.longestMs = Math.max(stall.longestMs, at - stall.since);
  stall.since = undefined;
}

function restartOf(action: PlannedAction): string | undefined {
  switch (action.kind) {
    case 'restart-controller':
      return `restart of the controller with ${action.signal}`;
    case 'restart-component':
      return `restart of ${action.component} with ${action.signal}`;
    case 'restart-daemons':
      return 'restart of daemons';
    default:
      return undefined;
  }
}
