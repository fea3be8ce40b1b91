import type { BlockFact, Lifetime, PoolFact } from '../model/facts.ts';
import { verdictOf, type Finding } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { groupBy, seconds, trueAt } from './lifetimes.ts';

export const poolsMatchBlocks: Invariant = {
  code: 'INV005',
  title: 'Blocks and pools are one to one, and agree on node, interface and range',
  why: 'A node without the pool of its block cannot give out addresses; a pool without a block gives out wrong ones.',
  when: 'settled',
  needs: 'an operator with pools, and a step that came to rest',
  check({ ledger }) {
    const blocks = ledger.facts('block');
    const pools = ledger.facts('pool');
    if (pools.length === 0 && !ledger.hasPools)
      return { status: 'not-applicable', reason: 'the operator has no pools' };
    let checked = 0;
    const findings = ledger.stepEnds
      .filter((end) => end.settled)
      .flatMap(({ step, at }): readonly Finding[] => {
        const blocksNow = blocks.filter((life) => trueAt(life, at.seq));
        const poolsNow = pools.filter((life) => trueAt(life, at.seq));
        checked += blocksNow.length + poolsNow.length;
        return mismatches(blocksNow, poolsNow).map(({ message, objects }) => ({
          message: `${message} after ${step} at ${seconds(at.atMs)}`,
          atMs: at.atMs,
          objects,
        }));
      });
    return verdictOf(checked, findings, 'no step settled with blocks');
  },
};

type Place = Pick<BlockFact, 'network' | 'node' | 'interface' | 'cidr' | 'parent'>;
const rangeKey = ({ network, cidr }: Place): string => `${network} ${cidr}`;

function mismatches(
  blocks: readonly Lifetime<BlockFact>[],
  pools: readonly Lifetime<PoolFact>[],
): readonly Pick<Finding, 'message' | 'objects'>[] {
  const poolsOf = groupBy(pools, ({ fact }) => rangeKey(fact));
  const blocksOf = groupBy(blocks, ({ fact }) => rangeKey(fact));
  const ofBlocks = blocks.flatMap(({ fact, object }) => {
    const [pool, ...others] = poolsOf.get(rangeKey(fact)) ?? [];
    if (!pool) return [{ message: `${fact.cidr} of ${fact.node} has no pool`, objects: [object] }];
    const wrong = disagreement(fact, pool.fact);
    const objects = [object, pool.object, ...others.map((other) => other.object)];
    if (others.length > 0)
      return [{ message: `${fact.cidr} of ${fact.node} has ${others.length + 1} pools`, objects }];
    return wrong === undefined ? [] : [{ message: wrong, objects }];
  });
  const ofPools = pools
    .filter(({ fact }) => !blocksOf.has(rangeKey(fact)))
    .map(({ fact, object }) => ({
      message: `the pool of ${fact.cidr} for ${fact.node} belongs to no block`,
      objects: [object],
    }));
  return [...ofBlocks, ...ofPools];
}

function disagreement(block: Place, pool: Place): string | undefined {
  for (const field of ['node', 'interface', 'parent'] as const)
    if (block[field] !== pool[field])
      return (
        `block and pool of ${block.cidr} disagree: ${field} is ` +
        `${block[field] ?? 'not set'} in the block of ${block.node} and ${pool[field] ?? 'not set'} in the pool`
      );
  return undefined;
}
