import type { LeaseFact, Lifetime } from '../model/facts.ts';
import { verdictOf, type Finding } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { coexist, groupBy, seconds, togetherSince } from './lifetimes.ts';

export const uniqueAddresses: Invariant = {
  code: 'INV001',
  title: 'No address is held by two owners at once',
  why: 'Two pods with one address take each other off the network.',
  when: 'always',
  needs: 'leases',
  check({ ledger }) {
    const leases = ledger.facts('lease');
    const byAddress = groupBy(leases, ({ fact }) => `${fact.network} ${fact.address}`);
    const findings = [...byAddress.values()].flatMap(clashes);
    return verdictOf(leases.length, findings, 'no address was leased');
  },
};

function clashes(leases: readonly Lifetime<LeaseFact>[]): readonly Finding[] {
  return leases.flatMap((a, i) =>
    leases
      .slice(i + 1)
      .filter((b) => a.fact.owner !== b.fact.owner && !mayShare(a.fact, b.fact) && coexist(a, b))
      .map((b): Finding => ({
        message:
          `${a.fact.address} on ${a.fact.network} is held by ${a.fact.owner} and by ${b.fact.owner} ` +
          `at ${seconds(togetherSince(a, b))}`,
        atMs: togetherSince(a, b),
        objects: [a.object, b.object],
      })),
  );
}

const mayShare = (a: LeaseFact, b: LeaseFact): boolean =>
  a.sharingKey !== undefined && a.sharingKey === b.sharingKey;
