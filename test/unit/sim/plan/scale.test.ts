import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { PlannedAction, PlannedStep } from '../../../../src/sim/model/plan.ts';
import { planned, scenarioOf } from '../../../helpers/planned-scenario.ts';

/** The last of some scale steps, given as their bodies. */
function lastStep(...bodies: readonly JsonObject[]): PlannedStep {
  const { plan } = planned(scenarioOf({ steps: bodies.map((scale) => ({ scale })) }));
  const step = plan.steps.at(-1);
  return step ?? expect.fail('the plan has no step');
}

/** Actions in short: `+1` creates sim-1, `-1` deletes it, `pods 1-2`, `SIGTERM`. */
const inShort = (actions: readonly PlannedAction[]): string =>
  actions
    .map((action) => {
      if (action.kind === 'create-node') return `+${action.node}`;
      if (action.kind === 'delete-node') return `-${action.node}`;
      if (action.kind === 'delete-pods') return `pods ${action.nodes.from}-${action.nodes.to}`;
      return action.kind === 'restart-controller' ? action.signal : action.kind;
    })
    .join(', ');

const restartAt = (at: number, signal = 'SIGTERM'): JsonObject => ({
  at,
  restart: { what: 'controller', signal },
});

describe('a scale step up', () => {
  const step = lastStep({ to: 2 }, { to: 5, within: '40s', settle: '3s', onMiss: 'continue' });

  it('creates the nodes that are missing, in order', () => {
    expect(inShort(step.actions)).to.equal('+3, +4, +5');
  });

  it('wants every milestone for all nodes, the old ones too', () => {
    expect(step.goal).to.deep.equal({
      nodes: { from: 1, to: 5 },
      milestones: ['cidr'],
      servedAtMost: {},
    });
  });

  it('promises samples of the milestones, and takes no node away', () => {
    expect(step.samples).to.deep.equal(['cidr']);
    expect(step.removal).to.be.undefined;
  });

  it('takes its bounds from the scenario', () => {
    expect(step).to.include({
      name: 'scale-5',
      kind: 'scale',
      nodesBefore: 2,
      nodesAfter: 5,
      withinMs: 40_000,
      settleMs: 3000,
      onMiss: 'continue',
    });
  });
});

describe('a scale step down', () => {
  const orders: readonly (readonly [string, string])[] = [
    ['node-first', '-4, -3, pods 3-4'],
    ['pods-first', 'pods 3-4, -4, -3'],
    ['node-only', '-4, -3'],
  ];
  for (const [remove, actions] of orders)
    it(`removes the highest nodes, ${remove}`, () => {
      const step = lastStep({ to: 4 }, { to: 2, remove });
      expect(inShort(step.actions)).to.equal(actions);
      expect(step.removal).to.equal(remove);
    });

  it('removes the node first when nothing else is said', () => {
    expect(lastStep({ to: 1 }, { to: 0 }).removal).to.equal('node-first');
  });

  it('promises samples of what is gone, and wants the milestones of those that stay', () => {
    const step = lastStep({ to: 4 }, { to: 2 });
    expect(step.samples).to.deep.equal(['gone']);
    expect(step.goal.nodes).to.deep.equal({ from: 1, to: 2 });
  });

  it('takes the default settle time of the scenario', () => {
    expect(lastStep({ to: 4 }, { to: 2 }).settleMs).to.equal(2000);
  });
});

describe('a scale step to where it is already', () => {
  it('does nothing and promises no samples', () => {
    const step = lastStep({ to: 2 }, { to: 2 });
    expect(step).to.deep.include({ actions: [], samples: [], removal: undefined });
  });

  it('still does what is to happen during it', () => {
    const step = lastStep({ to: 2 }, { to: 2, during: [restartAt(2)] });
    expect(inShort(step.actions)).to.equal('SIGTERM');
  });
});

describe('what happens during a scale step', () => {
  it('comes after as many nodes as it says, counting up', () => {
    const during = [restartAt(2), restartAt(3, 'SIGKILL'), restartAt(4)];
    const step = lastStep({ to: 2 }, { to: 4, during });
    expect(inShort(step.actions)).to.equal('SIGTERM, +3, SIGKILL, +4, SIGTERM');
  });

  it('comes when as many nodes are left as it says, counting down', () => {
    const during = [restartAt(4), restartAt(3, 'SIGKILL'), restartAt(2)];
    const step = lastStep({ to: 4 }, { to: 2, during });
    expect(inShort(step.actions)).to.equal('SIGTERM, -4, SIGKILL, -3, SIGTERM, pods 3-4');
  });

  it('may be several things at one place, in the order in which they are written', () => {
    const step = lastStep({ to: 1, during: [restartAt(1, 'SIGKILL'), restartAt(1)] });
    expect(inShort(step.actions)).to.equal('+1, SIGKILL, SIGTERM');
  });
});
