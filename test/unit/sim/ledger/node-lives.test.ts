import { expect } from 'chai';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';

const upAndDown = (): HistoryBuilder =>
  HistoryBuilder.of(
    scenarioOf({
      steps: [
        { scale: { to: 2 } },
        { scale: { to: 1, remove: 'pods-first' } },
        { scale: { to: 2 } },
        { restart: { what: 'controller' } },
      ],
    }),
  );

/** Lives as `sim-1 uid from-to removal`. */
const livesOf = (history: HistoryBuilder): readonly string[] =>
  history
    .result()
    .ledger.nodes.map(
      ({ node, uid, from, to, removal }) =>
        `${node} ${uid} ${from.atMs}-${to?.atMs ?? ''} ${removal ?? ''}`,
    );

describe('the lives of fake nodes', () => {
  it('begin when a node is seen, and go on when it changes', () => {
    const history = upAndDown().at(100).node(1).at(200).serve(1).node(1, { ready: 'Unknown' });
    expect(livesOf(history)).to.deep.equal(['sim-1 sim-1/1 100- ']);
  });

  it('end as the step said, when sim takes the node away', () => {
    const history = upAndDown().node(1).node(2).begin('scale-1').act().at(500).removeNode(2);
    expect(livesOf(history)).to.deep.equal(['sim-1 sim-1/1 0- ', 'sim-2 sim-2/1 0-500 pods-first']);
    expect(history.result().interferences).to.be.empty;
  });

  it('end by interference, when nobody of us took the node away', () => {
    const history = upAndDown().node(1).node(2).at(500).removeNode(2);
    expect(livesOf(history)[1]).to.equal('sim-2 sim-2/1 0-500 ');
    expect(history.result().interferences).to.deep.equal([{ node: 'sim-2', atMs: 500 }]);
  });

  it('are two when a name is used again', () => {
    const history = upAndDown().node(1).node(2).begin('scale-1').act().at(500).removeNode(2);
    history.at(900).finish().begin('scale-2-2').act().at(1000).node(2);
    expect(livesOf(history).slice(1)).to.deep.equal([
      'sim-2 sim-2/1 0-500 pods-first',
      'sim-2 sim-2/2 1000- ',
    ]);
  });

  it('do not excuse an interference with the removal of an earlier bearer of the name', () => {
    const history = upAndDown().node(1).node(2).begin('scale-1').act().at(500).removeNode(2);
    history.finish().at(1000).node(2).at(1500).removeNode(2);
    expect(history.result().interferences).to.deep.equal([{ node: 'sim-2', atMs: 1500 }]);
  });

  it('are two when a node is replaced between two events', () => {
    const history = upAndDown().node(1);
    history.at(300).record({
      kind: 'object',
      op: 'added',
      resource: 'nodes',
      name: 'sim-1',
      uid: 'another',
      resourceVersion: '9',
      fields: { run: 'r1', internalIP: null, podCIDRs: [], ready: 'True', taints: [] },
    });
    expect(livesOf(history)).to.deep.equal(['sim-1 sim-1/1 0-300 ', 'sim-1 another 300- ']);
    expect(history.result().interferences).to.have.length(1);
  });

  it('include the probe of a restart', () => {
    const history = upAndDown().node(1).node(2).begin('restart-controller').act(2);
    history.at(500).node(3).at(900).act().at(950).removeNode(3);
    expect(livesOf(history)[2]).to.equal('sim-3 sim-3/1 500-950 node-first');
  });

  it('do not include nodes that are not of a run', () => {
    const history = upAndDown().node(1, { run: null });
    history.object(
      'nodes',
      { name: 'real-node' },
      {
        fields: { run: 'r1', internalIP: null, podCIDRs: [], ready: 'True', taints: [] },
      },
    );
    history.removeNode(1).remove('nodes', { name: 'real-node' });
    expect(livesOf(history)).to.be.empty;
    expect(history.result().interferences).to.be.empty;
  });

  it('say which nodes live at the end of a step', () => {
    const history = upAndDown().begin('scale-2').act().node(1).node(2).serve(1).serve(2);
    history.at(5000).finish().begin('scale-1').act().removeNode(2).at(9000).finish();
    expect(history.result().ledger.stepEnds.map(({ nodes }) => nodes)).to.deep.equal([
      ['sim-1', 'sim-2'],
      ['sim-1'],
    ]);
  });
});
