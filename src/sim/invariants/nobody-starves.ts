import { ascending, nearestRank } from '../base/nearest-rank.ts';
import { count, some } from '../base/text.ts';
import type { BlockFact, Lifetime } from '../model/facts.ts';
import type { NetworkFrame } from '../model/operator-profile.ts';
import type { StepEnd } from '../model/recorded-run.ts';
import { verdictOf, type Finding } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { groupBy, seconds, trueAt } from './lifetimes.ts';

export const nobodyStarves: Invariant = {
  code: 'INV014',
  title: 'No node goes without a block while blocks are free',
  why: 'Blocks that were given back must reach the nodes that wait for them.',
  when: 'settled',
  needs: 'a network whose number of blocks is known, and a step that came to rest with nodes',
  check({ ledger }) {
    // Where sim or the cluster ended the step, or something still changed, the operator had not had its time.
    const points = ledger.stepEnds.filter(({ settled, nodes }) => settled && nodes.length > 0);
    const byNetwork = groupBy(ledger.facts('block'), ({ fact }) => fact.network);
    const looked = ledger.networks.flatMap((network) =>
      network.blocks === undefined
        ? []
        : points.map((point) => starvingAt(point, network, byNetwork.get(network.name) ?? [])),
    );
    return verdictOf(
      looked.length,
      looked.flat(),
      'no step settled with nodes on a network whose number of blocks is known',
      reuse([...byNetwork.values()].flat()),
    );
  },
};

function starvingAt(
  { step, at, nodes, expectedBlocks }: StepEnd,
  network: NetworkFrame,
  blocks: readonly Lifetime<BlockFact>[],
): readonly Finding[] {
  const held = blocks.filter((life) => trueAt(life, at.seq));
  const free = (network.blocks ?? 0) - held.length;
  const served = new Set(held.map(({ fact }) => fact.node));
  const starving = nodes.filter(
    (node) =>
      !served.has(node) &&
      (expectedBlocks.get(node) ?? []).some((expected) => expected.network === network.name),
  );
  if (starving.length === 0 || free <= 0) return [];
  return [
    {
      message:
        `${count(starving.length, 'node')} without a block on ${network.name} ` +
        `while ${count(free, 'block')} ${free === 1 ? 'is' : 'are'} free, at the end of ${step}: ${some(starving)}`,
      atMs: at.atMs,
      objects: starving.map((node) => `nodes/${node}`),
    },
  ];
}

/** How long a block that was given back stood empty before another node got it. */
function reuse(blocks: readonly Lifetime<BlockFact>[]): string | undefined {
  const waits = ascending(
    [...groupBy(blocks, ({ fact }) => `${fact.network} ${fact.cidr}`).values()].flatMap((lives) => {
      const inOrder = lives.toSorted((a, b) => a.from.seq - b.from.seq);
      return inOrder.flatMap((life, i) => {
        const next = inOrder[i + 1];
        return life.to && next ? [Math.max(0, next.from.atMs - life.to.atMs)] : [];
      });
    }),
  );
  const median = nearestRank(waits, 50);
  if (median === undefined) return undefined;
  return (
    `${count(waits.length, 'block')} used again, after ${seconds(waits[0] ?? 0)} at the soonest, ` +
    `${seconds(median)} in the median, ${seconds(waits.at(-1) ?? 0)} at the latest`
  );
}
