import type { Lifetime, NodeFact, PodFact } from '../model/facts.ts';
import { verdictOf, type Finding } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';
import { coexist, groupBy, seconds, togetherSince } from './lifetimes.ts';

export const nodeAddresses: Invariant = {
  code: 'INV011',
  title:
    "A fake node's InternalIP is its own, and is the hostIP and the podIP of its host-network pods",
  why: 'A controller that dials hostIP would reach the daemon of another node, or none.',
  when: 'always',
  needs: 'fake nodes',
  check({ ledger }) {
    const nodes = ledger.facts('node').filter(({ fact }) => fact.run !== undefined);
    const byAddress = groupBy(nodes, ({ fact }) => fact.internalIP);
    const shared = [...byAddress].flatMap(([address, lives]) =>
      address === undefined ? lives.map(withoutAddress) : sharedBy(address, lives),
    );
    const byNode = groupBy(nodes, ({ fact }) => fact.node);
    const pods = ledger
      .facts('pod')
      .filter(({ fact }) => fact.hostNetwork && fact.hostIP !== undefined && byNode.has(fact.node));
    const wrong = pods.flatMap((pod) => wrongHostIP(pod, byNode.get(pod.fact.node) ?? []));
    return verdictOf(nodes.length + pods.length, [...shared, ...wrong], 'there was no fake node');
  },
};

const withoutAddress = ({ fact, from, object }: Lifetime<NodeFact>): Finding => ({
  message: `${fact.node} has no InternalIP`,
  atMs: from.atMs,
  objects: [object],
});

function sharedBy(address: string, lives: readonly Lifetime<NodeFact>[]): readonly Finding[] {
  return lives.flatMap((a, i) =>
    lives
      .slice(i + 1)
      .filter((b) => a.fact.uid !== b.fact.uid && coexist(a, b))
      .map((b) => ({
        message: `${a.fact.node} and ${b.fact.node} both have the address ${address} at ${seconds(togetherSince(a, b))}`,
        atMs: togetherSince(a, b),
        objects: [a.object, b.object],
      })),
  );
}

/** Pods and nodes come in streams of their own, so any address the node ever had under that name will do. */
function wrongHostIP(
  { fact, from, object }: Lifetime<PodFact>,
  nodes: readonly Lifetime<NodeFact>[],
): readonly Finding[] {
  const addresses = nodes.flatMap(({ fact: node }) => node.internalIP ?? []);
  const wrong = [fact.hostIP, fact.podIPs[0]].find(
    (ip) => ip !== undefined && !addresses.includes(ip),
  );
  if (wrong === undefined) return [];
  return [
    {
      message: `pod ${fact.namespace}/${fact.name} on ${fact.node} has the address ${wrong} instead of ${addresses[0] ?? 'one of its node'}`,
      atMs: from.atMs,
      objects: [object, `nodes/${fact.node}`],
    },
  ];
}
