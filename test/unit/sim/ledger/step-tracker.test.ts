import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { goalHolds } from '../../../../src/sim/ledger/step-tracker.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';
import { tableScenario } from '../../../helpers/table-profile.ts';

const scaling = (...to: readonly number[]): JsonObject =>
  scenarioOf({ steps: to.map((n) => ({ scale: { to: n, within: '30s' } })) });

/** The sample of a milestone as `node first held since-create`. */
const sampleOf = (history: HistoryBuilder, step: string, milestone = 'cidr'): readonly string[] => {
  const record = history.result().steps.find(({ plan }) => plan.name === step);
  const sample = record?.samples.get(milestone) ?? expect.fail(`no sample of ${milestone}`);
  return sample.map(
    ({ node, firstMs, heldMs, sinceCreateMs }) =>
      `${node} ${firstMs ?? '–'} ${heldMs ?? '–'} ${sinceCreateMs ?? '–'}`,
  );
};

/** Two nodes that were served at 1500 and 1800, from a first action at 1000. */
const twoServed = (source: JsonObject): HistoryBuilder =>
  HistoryBuilder.of(source)
    .at(900)
    .begin('scale-2')
    .at(1000)
    .act(1)
    .at(1100)
    .act(1)
    .node(1)
    .node(2)
    .at(1500)
    .serve(1)
    .at(1800)
    .serve(2);

describe('the sample of a milestone', () => {
  it('is timed from the first action of the step, and from the creation of each node', () => {
    expect(sampleOf(twoServed(scaling(2)), 'scale-2')).to.deep.equal([
      'sim-1 500 500 500',
      'sim-2 800 800 700',
    ]);
  });

  it('keeps the first time apart from the time since which it has held', () => {
    const history = twoServed(scaling(2)).at(2000).node(1, { podCIDRs: [] }).at(2600).serve(1);
    expect(sampleOf(history, 'scale-2')[0]).to.equal('sim-1 500 1600 1600');
  });

  it('does not know since when it has held for a node that lost it', () => {
    const history = twoServed(scaling(2)).at(2000).node(1, { podCIDRs: [] });
    expect(sampleOf(history, 'scale-2')[0]).to.equal('sim-1 500 – –');
  });

  it('names a node that was never served', () => {
    const history = HistoryBuilder.of(scaling(1)).begin('scale-1').act().node(1);
    expect(sampleOf(history, 'scale-1')).to.deep.equal(['sim-1 – – –']);
  });

  it('has no zeros for survivors: they are not in it', () => {
    const history = twoServed(scaling(2, 3)).at(4000).finish().at(5000).begin('scale-3').act();
    history.at(5100).node(3).at(5400).serve(3).at(8000).finish();
    expect(sampleOf(history, 'scale-3')).to.deep.equal(['sim-3 400 400 400']);
  });

  it('has a survivor that was lost meanwhile, with the time at which it was served again', () => {
    const history = twoServed(scaling(2, 3)).at(4000).finish().at(5000).begin('scale-3').act();
    history.at(5100).node(3).serve(3).node(1, { podCIDRs: [] }).at(5900).serve(1);
    expect(sampleOf(history, 'scale-3')).to.deep.equal(['sim-1 900 900 –', 'sim-3 100 100 100']);
  });

  it('never has a time before the first action', () => {
    const history = HistoryBuilder.of(scaling(1)).begin('scale-1').at(50).node(1).serve(1);
    expect(sampleOf(history.at(100).act(), 'scale-1')).to.deep.equal(['sim-1 0 0 0']);
  });

  it('does not hang on nodes that are not ours', () => {
    const history = twoServed(scaling(2));
    history.object(
      'nodes',
      { name: 'worker-1' },
      { fields: { run: null, internalIP: null, podCIDRs: [], ready: 'True', taints: [] } },
    );
    expect(sampleOf(history, 'scale-2')).to.have.length(2);
    expect(history.state(4000)).to.equal('converged');
  });

  it('is kept for each milestone by itself', () => {
    const history = HistoryBuilder.ofTables(
      tableScenario({
        operator: { profile: 'tables', interfaces: 2 },
        steps: [{ scale: { to: 1 } }],
      }),
    );
    const rows = { a: { node: 'sim-1', interface: 'eth0', cidr: '10.0.0.0/24' } };
    const more = { ...rows, b: { node: 'sim-1', interface: 'eth1', cidr: '10.0.1.0/24' } };
    const fields = { network: 'net' };
    history.begin('scale-1').act().node(1);
    history.at(300).object('tables', { name: 't' }, { fields, rows });
    expect(history.fold.currentStep?.progress()?.milestones).to.deep.equal([
      { name: 'block', held: 1, of: 1 },
      { name: 'full', held: 0, of: 1 },
    ]);
    expect(history.state()).to.equal('pending');
    history.at(700).object('tables', { name: 't' }, { fields, rows: more });
    expect(sampleOf(history, 'scale-1', 'block')).to.deep.equal(['sim-1 300 300 300']);
    expect(sampleOf(history, 'scale-1', 'full')).to.deep.equal(['sim-1 700 700 700']);
  });
});

describe('the sample of what is gone', () => {
  const pod = (history: HistoryBuilder, node: string): HistoryBuilder =>
    history.object(
      'pods',
      { name: `pod-${node}`, namespace: 'default' },
      {
        fields: {
          nodeName: node,
          hostNetwork: false,
          phase: 'Running',
          hostIP: null,
          podIPs: [],
          ready: true,
        },
      },
    );

  it('has each removed node, with the time since which nothing speaks of it', () => {
    const history = pod(twoServed(scaling(2, 0)), 'sim-2')
      .at(4000)
      .finish();
    history.at(5000).begin('scale-0').act().at(5100).removeNode(1).at(5200).removeNode(2);
    expect(history.fold.currentStep?.progress()?.leftovers).to.equal(1);
    history.at(5600).remove('pods', { name: 'pod-sim-2', namespace: 'default' });
    expect(history.fold.currentStep?.progress()?.leftovers).to.equal(0);
    expect(sampleOf(history, 'scale-0', 'gone')).to.deep.equal([
      'sim-1 100 100 –',
      'sim-2 600 600 –',
    ]);
  });

  it('has them in the order of their numbers, in whatever order they were seen', () => {
    const history = HistoryBuilder.of(scaling(11, 1));
    for (const index of [11, 3, 1, 10]) history.node(index).serve(index);
    history.begin('scale-1').act();
    const step = history.fold.currentStep;
    expect(step?.missing('gone')).to.deep.equal(['sim-3', 'sim-10', 'sim-11']);
    const gone = history.result().steps[1]?.samples.get('gone');
    expect(gone?.map(({ node }) => node)).to.deep.equal(['sim-3', 'sim-10', 'sim-11']);
  });

  it('names a node of which something is left', () => {
    const history = pod(twoServed(scaling(2, 1)), 'sim-2')
      .at(4000)
      .finish();
    history.at(5000).begin('scale-1').act().at(5100).removeNode(2).at(9000);
    expect(sampleOf(history, 'scale-1', 'gone')).to.deep.equal(['sim-2 – – –']);
    expect(history.state()).to.equal('pending');
  });

  it('has a node of which something came back', () => {
    const history = twoServed(scaling(2, 1)).at(4000).finish();
    history.at(5000).begin('scale-1').act().at(5100).removeNode(2);
    pod(history.at(5300), 'sim-2');
    expect(sampleOf(history, 'scale-1', 'gone')).to.deep.equal(['sim-2 100 – –']);
  });

  it('has what an earlier step left behind', () => {
    const history = pod(HistoryBuilder.of(scaling(1, 2)), 'sim-5')
      .begin('scale-1')
      .act();
    history.node(1).serve(1);
    expect(sampleOf(history, 'scale-1', 'gone')).to.deep.equal(['sim-5 – – –']);
    expect(history.state(29_000)).to.equal('pending');
  });
});

describe('the nodes that are missing', () => {
  it('are named in the order of their numbers', () => {
    const history = HistoryBuilder.of(scaling(11)).begin('scale-11').act();
    for (const index of [11, 3, 10, 1]) history.node(index).serve(index);
    expect(history.fold.currentStep?.missing('cidr')).to.deep.equal(
      [2, 4, 5, 6, 7, 8, 9].map((i) => `sim-${i}`),
    );
  });

  it('are none of a milestone that the step does not know', () => {
    const history = HistoryBuilder.of(scaling(1)).begin('scale-1');
    expect(history.fold.currentStep?.missing('pools')).to.be.empty;
  });
});

describe('goalHolds', () => {
  it('asks every milestone of the goal of every one of its nodes', () => {
    const history = HistoryBuilder.ofTables(
      tableScenario({ operator: { profile: 'tables', interfaces: 2 } }),
    );
    const { plan, model } = history.planned;
    const goal = plan.steps[0]!.goal;
    const row = (node: number, nic: number): JsonObject => ({
      node: `sim-${node}`,
      interface: `eth${nic}`,
      cidr: `10.${node}.${nic}.0/24`,
    });
    const holds = (rows: Record<string, JsonObject>, milestones = goal.milestones): boolean => {
      history.object('tables', { name: 't' }, { fields: { network: 'net' }, rows });
      return goalHolds({ ...goal, milestones }, model, history.fold.facts);
    };
    const one = { a: row(1, 0), b: row(1, 1) };
    expect(holds(one)).to.be.false;
    expect(holds({ ...one, c: row(2, 0) })).to.be.false;
    expect(holds({ ...one, c: row(2, 0) }, ['block'])).to.be.true;
    expect(holds({ ...one, c: row(2, 0), d: row(2, 1) })).to.be.true;
  });
});
