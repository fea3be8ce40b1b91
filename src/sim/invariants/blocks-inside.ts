import { isInside, parseBlock } from '../model/address.ts';
import type { BlockFact, Lifetime } from '../model/facts.ts';
import type { NetworkFrame } from '../model/operator-profile.ts';
import { verdictOf } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { seconds } from './lifetimes.ts';

export const blocksInside: Invariant = {
  code: 'INV003',
  title: "Every block lies inside its parent and the network's subnet, and excludes are respected",
  why: 'An address outside the range is not routed, or belongs to somebody else.',
  when: 'always',
  needs: 'blocks',
  check({ ledger }) {
    const frames = new Map(ledger.networks.map((frame) => [frame.name, frame]));
    const blocks = ledger.facts('block');
    const findings = blocks.flatMap((life) => {
      const wrong = whatIsWrong(life, frames.get(life.fact.network));
      if (wrong === undefined) return [];
      const { fact, from, object } = life;
      const message = `${fact.cidr} of ${fact.node} on ${fact.network} ${wrong} (since ${seconds(from.atMs)})`;
      return [{ message, atMs: from.atMs, objects: [object] }];
    });
    return verdictOf(blocks.length, findings, 'no block was given to any node');
  },
};

function whatIsWrong(
  { fact }: Lifetime<BlockFact>,
  frame: NetworkFrame | undefined,
): string | undefined {
  const block = parseBlock(fact.cidr);
  if (!block) return 'is not a CIDR';
  if (!frame) return 'belongs to a network that the scenario does not have';
  const inside = (outer: string): boolean => {
    const range = parseBlock(outer);
    return range !== undefined && isInside(block, range);
  };
  if (!frame.subnets.some(inside)) return `is outside ${frame.subnets.join(' and ')}`;
  if (fact.parent !== undefined && !inside(fact.parent))
    return `is outside its parent ${fact.parent}`;
  const excluded = frame.excludes.find(inside);
  return excluded === undefined ? undefined : `lies in the excluded range ${excluded}`;
}
