import type { BlockFact, FaultFact, Lifetime, Moment } from '../model/facts.ts';
import type { NodeLife } from '../model/recorded-run.ts';
import { verdictOf, type Finding } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { groupBy, seconds, trueAt } from './lifetimes.ts';

/** Events of different kinds arrive out of their order by up to a hundred milliseconds or so. */
const OUT_OF_ORDER_MS = 1000;

export const blocksKept: Invariant = {
  code: 'INV007',
  title: 'A node that lives keeps its blocks, through scaling, taints and restarts',
  why: 'When a block moves, every pod on the node loses its address.',
  when: 'always',
  needs: 'nodes with blocks',
  check({ ledger }) {
    const byNode = groupBy(ledger.facts('block'), ({ fact }) => fact.node);
    const faults = groupBy(ledger.facts('fault'), ({ fact }) => fact.node);
    const looked = ledger.nodes.map((life) =>
      lostDuring(life, byNode.get(life.node) ?? [], faults.get(life.node) ?? []),
    );
    return verdictOf(
      looked.reduce((sum, { checked }) => sum + checked, 0),
      looked.flatMap(({ findings }) => findings),
      'no node had a block',
    );
  },
};

function lostDuring(
  life: NodeLife,
  blocks: readonly Lifetime<BlockFact>[],
  faults: readonly Lifetime<FaultFact>[],
) {
  const ends = life.to?.atMs ?? Infinity;
  // What an earlier bearer of the name has left behind was never this node's.
  const own = blocks.filter(
    ({ from }) => from.atMs < ends && from.atMs >= life.from.atMs - OUT_OF_ORDER_MS,
  );
  const findings = own.flatMap((block): Finding[] => {
    if (!block.to || block.to.atMs >= ends - OUT_OF_ORDER_MS) return [];
    const lostAt = block.to;
    if (isNicTaken(block.fact, faults, lostAt)) return [];
    const later = own.filter(
      (other) =>
        other.from.seq >= lostAt.seq &&
        other.fact.network === block.fact.network &&
        other.fact.interface === block.fact.interface,
    );
    const isKept = ({ from, fact }: Lifetime<BlockFact>): boolean =>
      from.seq === lostAt.seq && fact.cidr === block.fact.cidr;
    if (later.some(isKept)) return []; // it only moved to another row or object
    const [next] = later;
    const then = next
      ? next.fact.cidr === block.fact.cidr
        ? ` and got it again at ${seconds(next.from.atMs)}`
        : ` and got ${next.fact.cidr} instead`
      : '';
    return [
      {
        message: `${life.node} lost ${block.fact.cidr} on ${block.fact.network} at ${seconds(lostAt.atMs)}${then}`,
        atMs: lostAt.atMs,
        objects: [block.object, `nodes/${life.node}`],
      },
    ];
  });
  return { checked: own.length, findings };
}

/** A NIC that was taken away on purpose takes its block with it: one that is missing, or was one too many. */
const isNicTaken = (
  { interface: nic }: BlockFact,
  faults: readonly Lifetime<FaultFact>[],
  at: Moment,
): boolean =>
  faults.some(
    (life) =>
      life.fact.interface === nic &&
      (life.fact.fault === 'extra-nic' ? life.from.seq <= at.seq : trueAt(life, at.seq)),
  );
