import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { PlannedStep } from '../../../../src/sim/model/plan.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { networkFor, planned, scenarioOf } from '../../../helpers/planned-scenario.ts';

/** A restart at two nodes, on a network with room for four. */
function restart(body: JsonObject, changes: JsonObject = {}): PlannedStep {
  const { plan } = planned(
    scenarioOf({
      networks: [networkFor(4)],
      steps: [{ scale: { to: 2 } }, { restart: { what: 'controller', ...body } }],
      ...changes,
    }),
  );
  return plan.steps.at(-1) ?? expect.fail('the plan has no step');
}

describe('a restart', () => {
  it('proves life with one more node, which must be served and goes again', () => {
    const { actions } = restart({ within: '40s' });
    const nodes = { from: 3, to: 3 };
    expect(actions).to.deep.equal([
      { kind: 'restart-controller', signal: 'SIGTERM' },
      { kind: 'create-node', node: 3 },
      {
        kind: 'await',
        goal: { nodes, milestones: ['cidr'], servedAtMost: {} },
        withinMs: 40_000,
      },
      { kind: 'delete-node', node: 3 },
      { kind: 'delete-pods', nodes },
    ]);
  });

  it('wants everything to hold for the nodes that were there, and nothing left of the probe', () => {
    const step = restart({});
    expect(step.goal.nodes).to.deep.equal({ from: 1, to: 2 });
    expect(step).to.deep.include({
      name: 'restart-controller',
      nodesBefore: 2,
      nodesAfter: 2,
      removal: 'node-first',
      samples: ['recovery'],
      withinMs: 120_000,
      settleMs: 2000,
    });
  });

  it('only restarts when no probe is wanted', () => {
    const step = restart({ probe: false, signal: 'SIGKILL' });
    expect(step.actions).to.deep.equal([{ kind: 'restart-controller', signal: 'SIGKILL' }]);
    expect(step.removal).to.be.undefined;
  });

  it('has no probe where the network is full on purpose', () => {
    const step = restart({}, { networks: [networkFor(2)], overflow: 'expected' });
    expect(step.actions).to.have.length(1);
  });

  it('is refused where its probe does not fit and overflow is not expected', () => {
    const source = scenarioOf({
      networks: [networkFor(2)],
      steps: [{ scale: { to: 2 } }, { restart: { what: 'controller' } }],
    });
    expect(() => planned(source)).to.throw(/too small: 3 nodes .*1 block short/);
  });

  it('has a probe where the network has room for exactly one more', () => {
    const step = restart(
      {},
      {
        steps: [{ scale: { to: 3 } }, { restart: { what: 'controller' } }],
      },
    );
    expect(step.actions).to.have.length(5);
  });

  it('counts the probe among the most nodes at a time', () => {
    const { plan } = planned(
      scenarioOf({ steps: [{ scale: { to: 2 } }, { restart: { what: 'controller' } }] }),
    );
    expect(plan.peakNodes).to.equal(3);
  });
});

describe('a restart of daemons', () => {
  const daemons = (body: JsonObject): PlannedStep => {
    const step = { restart: { what: 'daemons', probe: false, ...body } };
    const { plan } = planned(multiNicScenario({ steps: [{ scale: { to: 5 } }, step] }));
    return plan.steps.at(-1) ?? expect.fail('the plan has no step');
  };
  const batch = (from: number, to: number, downMs = 0) => ({
    kind: 'restart-daemons',
    nodes: [{ from, to }],
    downMs,
  });
  const pause = { kind: 'hold', forMs: 4000 };

  it('is of all at once', () => {
    expect(daemons({ downFor: '2s' }).actions).to.deep.equal([batch(1, 5, 2000)]);
  });

  it('is of some at a time, one batch after the other', () => {
    expect(daemons({ atATime: 2 }).actions).to.deep.equal([batch(1, 2), batch(3, 4), batch(5, 5)]);
  });

  it('has pauses between batches and between times, which do not count against its bound', () => {
    const step = daemons({ atATime: 3, times: 2, pause: '4s', within: '10s' });
    expect(step.actions).to.deep.equal([
      batch(1, 3),
      pause,
      batch(4, 5),
      pause,
      batch(1, 3),
      pause,
      batch(4, 5),
    ]);
    expect(step).to.include({ withinMs: 10_000, boundsFromEnd: true });
  });

  it('is of one', () => {
    expect(daemons({ what: 'daemon', node: 4, downFor: '1s' }).actions).to.deep.equal([
      batch(4, 4, 1000),
    ]);
  });

  it('does nothing where there is no node', () => {
    const { plan } = planned(
      multiNicScenario({ steps: [{ restart: { what: 'daemons', probe: false } }] }),
    );
    expect(plan.steps[0]?.actions).to.be.empty;
  });
});

describe('a restart several times', () => {
  it('restarts again after a pause, and proves life once', () => {
    const { actions, withinMs } = restart({ what: 'kwok', times: 3, pause: '1s', within: '9s' });
    expect(actions.map(({ kind }) => kind)).to.deep.equal([
      'restart-component',
      'hold',
      'restart-component',
      'hold',
      'restart-component',
      'create-node',
      'await',
      'delete-node',
      'delete-pods',
    ]);
    expect(actions[0]).to.deep.equal({
      kind: 'restart-component',
      component: 'kwok-controller',
      signal: 'SIGTERM',
    });
    expect(withinMs).to.equal(9000);
  });
});
