import { count } from '../base/text.ts';
import { verdictOf, type Finding } from '../model/verdict.ts';
import type { ExpectedBlocks } from '../model/operator-profile.ts';
import type { BlockFact, Lifetime } from '../model/facts.ts';
import type { StepEnd } from '../model/recorded-run.ts';
import type { Invariant } from './invariant.ts';
import { groupBy, trueAt } from './lifetimes.ts';

export const blockCounts: Invariant = {
  code: 'INV004',
  title: 'A live node has as many blocks per network and interface as the profile says',
  why: 'A node without a block cannot start pods; one with two wastes addresses for good.',
  when: 'settled',
  needs: 'a step that settled with nodes',
  check({ ledger, plan }) {
    const byNode = groupBy(ledger.facts('block'), ({ fact }) => fact.node);
    const settled = ledger.stepEnds.filter(({ converged }) => converged);
    let checked = 0;
    const findings = settled.flatMap((point) => {
      const goal = plan.steps.find(({ name }) => name === point.step)?.goal;
      const mayStarve = Object.keys(goal?.servedAtMost ?? {}).length > 0;
      return point.nodes.flatMap((node) => {
        const expected = point.expectedBlocks.get(node) ?? [];
        checked += expected.length;
        return expected.flatMap((blocks) =>
          wrongCount(point, node, blocks, byNode.get(node) ?? [], mayStarve),
        );
      });
    });
    return verdictOf(checked, findings, 'no step settled with nodes');
  },
};

function wrongCount(
  { step, at }: StepEnd,
  node: string,
  expected: ExpectedBlocks,
  blocks: readonly Lifetime<BlockFact>[],
  mayStarve: boolean,
): readonly Finding[] {
  const held = blocks.filter(
    (life) =>
      life.fact.network === expected.network &&
      life.fact.interface === expected.interface &&
      trueAt(life, at.seq),
  );
  if (held.length === expected.count || (mayStarve && held.length === 0)) return [];
  const where = `${expected.network}${expected.interface === '' ? '' : ` ${expected.interface}`}`;
  const cidrs = held.length === 0 ? '' : ` (${held.map(({ fact }) => fact.cidr).join(', ')})`;
  return [
    {
      message: `${node} has ${count(held.length, 'block')}${cidrs} on ${where} instead of ${expected.count} after ${step}`,
      atMs: at.atMs,
      objects: [`nodes/${node}`, ...held.map(({ object }) => object)],
    },
  ];
}
