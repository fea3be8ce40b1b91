import type { GrantFact, LeaseFact, Lifetime } from '../model/facts.ts';
import { verdictOf, type Finding } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { groupBy, seconds, trueAt } from './lifetimes.ts';

export const leasesMatchGrants: Invariant = {
  code: 'INV008',
  title: 'The leases are those that daemons granted and have not taken back',
  why: 'An address that is in no pool will be given out again; a row that nobody holds is lost for good.',
  when: 'settled',
  needs: 'allocations, and a step that settled after them',
  check({ ledger }) {
    const leases = ledger.facts('lease');
    const grants = ledger.facts('grant');
    if (grants.length === 0 && !ledger.hasDaemons)
      return {
        status: 'not-applicable',
        reason: 'the operator has no daemons that give out addresses',
      };
    let checked = 0;
    const findings = ledger.stepEnds
      .filter((end) => end.settled)
      .flatMap(({ step, at, nodes }): readonly Finding[] => {
        // The daemons of other nodes are not ours: what they granted is not known.
        const ours = new Set(nodes);
        const isNow = (life: Lifetime<LeaseFact | GrantFact>): boolean =>
          trueAt(life, at.seq) && ours.has(life.fact.node);
        const leasesNow = leases.filter(isNow);
        const grantsNow = grants.filter(isNow);
        // That nothing is left when all has been given back is looked at, too.
        checked += Math.max(leasesNow.length + grantsNow.length, grants.length > 0 ? 1 : 0);
        return mismatches(leasesNow, grantsNow).map(({ message, objects }) => ({
          message: `${message}, after ${step} at ${seconds(at.atMs)}`,
          atMs: at.atMs,
          objects,
        }));
      });
    return verdictOf(checked, findings, 'no address was asked for');
  },
};

type Held = Pick<LeaseFact, 'network' | 'node' | 'interface' | 'owner' | 'address'>;
const keyOf = ({ network, node, interface: iface, owner, address }: Held): string =>
  [network, node, iface, owner, address].join(' ');

function mismatches(
  leases: readonly Lifetime<LeaseFact>[],
  grants: readonly Lifetime<GrantFact>[],
): readonly Pick<Finding, 'message' | 'objects'>[] {
  const rows = groupBy(leases, ({ fact }) => keyOf(fact));
  const answers = groupBy(grants, ({ fact }) => keyOf(fact));
  const missing = [...answers]
    .filter(([key]) => !rows.has(key))
    .flatMap(([, [grant]]) => (grant ? [grant] : []))
    .map(({ fact, object }) => ({
      message: `${fact.address} was granted to ${fact.owner} on ${fact.node} (${fact.interface}) but is in no pool`,
      objects: [object],
    }));
  const wrong = [...rows].flatMap(([key, [lease, ...others]]) => {
    if (!lease) return [];
    const { fact, object } = lease;
    const place = `${fact.address} of ${fact.owner} on ${fact.node} (${fact.interface})`;
    if (!answers.has(key))
      return [
        {
          message: `${place} is in a pool but was not granted, or was given back`,
          objects: [object],
        },
      ];
    return others.length > 0
      ? [{ message: `${place} is in a pool ${others.length + 1} times`, objects: [object] }]
      : [];
  });
  return [...missing, ...wrong];
}
