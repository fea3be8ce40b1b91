import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { PlannedStep } from '../../../../src/sim/model/plan.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { planned } from '../../../helpers/planned-scenario.ts';

const churn = (body: JsonObject = {}, changes: JsonObject = {}): PlannedStep => {
  const step = { churn: { nodes: '2-5', for: '12s', every: '1s', ...body } };
  const { plan } = planned(multiNicScenario({ steps: [{ scale: { to: 6 } }, step], ...changes }));
  return plan.steps.at(-1) ?? expect.fail('the plan has no step');
};
const replaced = (step: PlannedStep): readonly number[] =>
  step.actions.flatMap((action) => (action.kind === 'create-node' ? [action.node] : []));

describe('churn', () => {
  it('replaces each of its nodes once before any of them twice', () => {
    const order = replaced(churn());
    expect(order).to.have.length(12);
    for (const round of [order.slice(0, 4), order.slice(4, 8), order.slice(8)])
      expect([...round].sort()).to.deep.equal([2, 3, 4, 5]);
  });

  it('has an order that follows from the seed', () => {
    expect(churn({}, { seed: 3 })).to.deep.equal(churn({}, { seed: 3 }));
    const orders = [1, 2, 3, 4, 5].map((seed) => replaced(churn({}, { seed })).join());
    expect(new Set(orders).size).to.be.greaterThan(1);
  });

  const removals: readonly (readonly [string, readonly string[]])[] = [
    ['node-first', ['delete-node', 'delete-pods', 'create-node', 'hold']],
    ['pods-first', ['delete-pods', 'delete-node', 'create-node', 'hold']],
    ['node-only', ['delete-node', 'create-node', 'hold']],
  ];
  for (const [remove, kinds] of removals)
    it(`takes a node away and makes it anew, ${remove}`, () => {
      const step = churn({ nodes: 3, for: '1s', remove });
      expect(step.actions.map(({ kind }) => kind)).to.deep.equal(kinds);
      expect(step.removal).to.equal(remove);
    });

  it('waits between two nodes, which does not count against its bound', () => {
    const step = churn({ for: '10s', every: '2s', within: '30s' });
    expect(replaced(step)).to.have.length(5);
    expect(step.actions.filter(({ kind }) => kind === 'hold')).to.deep.equal(
      Array.from({ length: 5 }, () => ({ kind: 'hold', forMs: 2000 })),
    );
    expect(step).to.include({ withinMs: 30_000, boundsFromEnd: true });
  });

  it('replaces one node at least', () => {
    expect(replaced(churn({ for: '1s', every: '5s' }))).to.have.length(1);
  });

  it('leaves the number of nodes as it is, and has samples of what is lost and won again', () => {
    expect(churn()).to.include({ nodesBefore: 6, nodesAfter: 6 });
    expect(churn().samples).to.deep.equal(['daemon', 'interfaces', 'cidr', 'pools', 'routes']);
  });

  it('takes the pods of its nodes with it', () => {
    const steps = [
      { scale: { to: 3 } },
      { allocate: { podsPerNode: 2 } },
      { churn: { nodes: 2, for: '1s' } },
      { deallocate: {} },
    ];
    const [action] = planned(multiNicScenario({ steps })).plan.steps.at(-1)?.actions ?? [];
    expect(action?.kind === 'deallocate' && action.work.map(({ nodes }) => nodes)).to.deep.equal([
      { from: 1, to: 1 },
      { from: 3, to: 3 },
    ]);
  });
});
