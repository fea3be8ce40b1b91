import type { Lifetime } from '../model/facts.ts';
import { nodeOf } from '../model/facts.ts';
import type { NodeLife, RecordedRun } from '../model/recorded-run.ts';
import { verdictOf, type Finding } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { groupBy, seconds, trueAtMs } from './lifetimes.ts';

const GRACE_MS = 30_000;
/** Pod garbage collection takes 70–78 s when nobody else removes the pods of a node that is gone. */
const GRACE_NODE_ONLY_MS = 120_000;

export const nothingLeft: Invariant = {
  code: 'INV006',
  title:
    'Nothing is left of a node that is gone, 30 s later (120 s when its pods are left behind), or when its step must be over',
  why: 'What is left keeps addresses from others, until there are none.',
  when: 'always',
  needs: 'nodes that were removed',
  check(run) {
    const { nodes } = run.ledger;
    const ended = nodes.filter(({ to }) => to !== undefined);
    const facts = groupBy(run.ledger.allFacts(), ({ fact }) => nodeOf(fact));
    const lives = groupBy(nodes, ({ node }) => node);
    const looked = ended.map((life) =>
      leftOf(life, run, facts.get(life.node) ?? [], lives.get(life.node) ?? []),
    );
    return verdictOf(
      looked.filter((findings) => findings !== undefined).length,
      looked.flatMap((findings) => findings ?? []),
      ended.length === 0
        ? 'no node was removed'
        : 'the recording ends before the grace period does',
    );
  },
};

/** The time that the scenario gives the step is the operator's: a thousand pools may need it. */
function deadlineOf({ removal }: NodeLife, gone: number, { steps }: RecordedRun): number {
  if (removal === undefined) return gone + GRACE_MS; // somebody else took it away
  const step = steps.find(
    ({ begin, end }) => begin && begin.atMs <= gone && gone <= (end?.atMs ?? Infinity),
  );
  const ofStep = (step?.zeroMs ?? 0) + (step?.plan.withinMs ?? 0);
  return Math.max(gone + (removal === 'node-only' ? GRACE_NODE_ONLY_MS : GRACE_MS), ofStep);
}

/** Undefined where it cannot be told: the name was taken again, or the recording ends too early. */
function leftOf(
  life: NodeLife,
  run: RecordedRun,
  facts: readonly Lifetime[],
  sameName: readonly NodeLife[],
): readonly Finding[] | undefined {
  if (!life.to) return [];
  const gone = life.to.atMs;
  const deadline = deadlineOf(life, gone, run);
  const { seq } = life.to;
  if (sameName.some(({ from }) => from.seq > seq && from.atMs <= deadline)) return undefined;
  const early = run.lastMs < deadline;
  const left = facts.filter(
    (fact) => fact.from.seq < seq && (early ? fact.to === undefined : trueAtMs(fact, deadline)),
  );
  if (early && left.length > 0) return undefined;
  return left.map((fact) => ({
    message:
      `${fact.object} still speaks of ${life.node} (${fact.fact.kind}) ` +
      `${seconds(deadline - gone)} after the node was gone at ${seconds(gone)}`,
    atMs: gone,
    objects: [fact.object, `nodes/${life.node}`],
  }));
}
