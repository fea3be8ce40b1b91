import { overlaps, parseBlock, type Block } from '../model/address.ts';
import type { BlockFact, Lifetime } from '../model/facts.ts';
import { verdictOf, type Finding } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { groupBy, seconds, togetherSince } from './lifetimes.ts';

export const disjointBlocks: Invariant = {
  code: 'INV002',
  title: 'The blocks of a network are disjoint',
  why: 'Two nodes with overlapping blocks hand out the same addresses, and routes point to the wrong one.',
  when: 'always',
  needs: 'blocks',
  check({ ledger }) {
    const blocks = ledger.facts('block');
    const byNetwork = groupBy(blocks, ({ fact }) => fact.network);
    const findings = [...byNetwork.values()].flatMap(clashesOverTime);
    return verdictOf(blocks.length, findings, 'no block was given to any node');
  },
};

interface Held {
  readonly life: Lifetime<BlockFact>;
  readonly block: Block;
}

/**
 * Walks through the recording with the blocks held at that point in order of their addresses. As long as they are
 * disjoint, a new one can only clash with its two neighbours; once some overlap, all are looked at.
 */
function clashesOverTime(lives: readonly Lifetime<BlockFact>[]): readonly Finding[] {
  const held: Held[] = [];
  const findings: Finding[] = [];
  let disjoint = true;
  for (const { opens, life } of inOrder(lives)) {
    const block = parseBlock(life.fact.cidr);
    if (!block) continue; // INV003 names it
    if (!opens) {
      held.splice(
        held.findIndex((other) => other.life === life),
        1,
      );
      continue;
    }
    const place = placeOf(held, block);
    const near = disjoint ? [held[place - 1], held[place]].filter((h) => h !== undefined) : held;
    for (const other of near) {
      if (!overlaps(other.block, block)) continue;
      disjoint = false;
      findings.push(clash(other.life, life));
    }
    held.splice(place, 0, { life, block });
  }
  return findings;
}

function clash(a: Lifetime<BlockFact>, b: Lifetime<BlockFact>): Finding {
  const since = togetherSince(a, b);
  const holder = ({ fact }: Lifetime<BlockFact>): string =>
    `${fact.cidr} of ${fact.node}${fact.interface === '' ? '' : ` (${fact.interface})`}`;
  return {
    message: `on ${a.fact.network}, ${holder(a)} and ${holder(b)} overlap since ${seconds(since)}`,
    atMs: since,
    objects: [a.object, b.object],
  };
}

interface Turn {
  readonly seq: number;
  readonly opens: boolean;
  readonly life: Lifetime<BlockFact>;
}

/** Openings and closings in the order of the recording; within one entry, what closes does so first. */
function inOrder(lives: readonly Lifetime<BlockFact>[]): readonly Turn[] {
  const turns = lives.flatMap((life): Turn[] => [
    { seq: life.from.seq, opens: true, life },
    ...(life.to ? [{ seq: life.to.seq, opens: false, life }] : []),
  ]);
  return turns.sort((a, b) => a.seq - b.seq || Number(a.opens) - Number(b.opens));
}

function placeOf(held: readonly Held[], block: Block): number {
  let [low, high] = [0, held.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = held[middle]?.block;
    if (other && isBefore(other, block)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isBefore = (a: Block, b: Block): boolean =>
  a.version !== b.version ? a.version < b.version : a.first < b.first;
