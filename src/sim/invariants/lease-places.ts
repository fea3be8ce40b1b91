import { addressAt, isInside, parseBlock } from '../model/address.ts';
import type { LeaseFact } from '../model/facts.ts';
import { verdictOf } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { seconds } from './lifetimes.ts';

export const leasePlaces: Invariant = {
  code: 'INV009',
  title: "A lease's index, address and pool agree, and no excluded address is given out",
  why: 'An address outside its pool is not routed to the node that gave it out.',
  when: 'always',
  needs: 'leases of an operator that numbers them',
  check({ ledger }) {
    const leases = ledger.facts('lease').filter(({ fact }) => fact.place !== undefined);
    const findings = leases.flatMap(({ fact, from, object }) => {
      const wrong = whatIsWrong(fact);
      if (wrong === undefined) return [];
      const message = `${fact.address} of ${fact.owner} on ${fact.node} (${fact.interface}) ${wrong} (since ${seconds(from.atMs)})`;
      return [{ message, atMs: from.atMs, objects: [object] }];
    });
    return verdictOf(leases.length, findings, 'no address was leased by number');
  },
};

function whatIsWrong({ address, place }: LeaseFact): string | undefined {
  if (!place) return undefined;
  const pool = parseBlock(place.cidr);
  const own = parseBlock(address.includes(':') ? `${address}/128` : `${address}/32`);
  if (!pool) return `is in a pool without a range: ${place.cidr}`;
  if (!own) return 'is not an address';
  if (!isInside(own, pool)) return `is outside its pool ${place.cidr}`;
  const excluded = place.excludes.find((range) => {
    const block = parseBlock(range);
    return block !== undefined && isInside(own, block);
  });
  if (excluded !== undefined) return `is in the excluded range ${excluded}`;
  const expected =
    place.index < 0 || BigInt(place.index) > pool.last - pool.first
      ? undefined
      : addressAt(pool, BigInt(place.index));
  return expected === address
    ? undefined
    : `has the number ${place.index}, which is ${expected === undefined ? 'outside' : `${expected} in`} ${place.cidr}`;
}
