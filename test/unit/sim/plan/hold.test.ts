import { expect } from 'chai';
import { planned, scenarioOf } from '../../../helpers/planned-scenario.ts';

describe('a hold', () => {
  const { plan } = planned(
    scenarioOf({
      steps: [{ scale: { to: 2 } }, { hold: { for: '7s', onMiss: 'continue' } }],
      timeout: '5m',
    }),
  );

  it('does nothing for a time, and allows no loss at all', () => {
    expect(plan.steps[1]).to.deep.equal({
      name: 'hold',
      kind: 'hold',
      nodesBefore: 2,
      nodesAfter: 2,
      actions: [{ kind: 'hold', forMs: 7000 }],
      goal: { nodes: { from: 1, to: 2 }, milestones: ['cidr'], servedAtMost: {} },
      removal: undefined,
      withinMs: 0,
      settleMs: 0,
      onMiss: 'continue',
      samples: [],
    });
  });
});
