import { count } from '../base/text.ts';
import { verdictOf } from '../model/verdict.ts';
import type { Invariant } from './invariant.ts';

export const routesTold: Invariant = {
  code: 'INV010',
  title: 'Every daemon was told exactly the routes of its peers',
  why: 'Pods on two nodes cannot reach each other when one of them has no route, or an old one.',
  when: 'settled',
  needs: 'a network with routes, and a step that settled with two nodes or more',
  check({ ledger }) {
    const settled = ledger.stepEnds.filter((end) => end.settled);
    const findings = settled.flatMap(({ step, at, routes }) =>
      routes.wrong.map(({ node, network, expected, told }) => ({
        message:
          `the daemon of ${node} ` +
          (told === undefined
            ? `was told no routes on ${network}, instead of ${expected.count}`
            : `was told ${count(told.count, 'route')} on ${network}, ` +
              (told.count === expected.count
                ? 'but not those of its peers'
                : `instead of ${expected.count}`)) +
          `, after ${step}`,
        atMs: at.atMs,
        objects: [`nodes/${node}`, `networks/${network}`],
      })),
    );
    const compared = settled.reduce((sum, { routes }) => sum + routes.compared, 0);
    return verdictOf(compared, findings, 'no routes were to be told');
  },
};
