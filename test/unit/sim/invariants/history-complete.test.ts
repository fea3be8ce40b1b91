import { expect } from 'chai';
import { historyComplete } from '../../../../src/sim/invariants/history-complete.ts';
import type { Finding, Verdict } from '../../../../src/sim/model/verdict.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';
import { twoNodes, twoServed } from '../../../helpers/two-nodes.ts';

const check = (history: HistoryBuilder): Verdict => historyComplete.check(history.result());

function findingsOf(history: HistoryBuilder): readonly Finding[] {
  const verdict = check(history);
  return verdict.status === 'broken' ? verdict.findings : [];
}

describe('INV000, the recording is complete', () => {
  it('names an action that was begun and never ended', () => {
    const history = HistoryBuilder.of(scenarioOf()).begin('scale-2').beginAction().at(700).end();
    expect(findingsOf(history)).to.deep.equal([
      {
        message: 'action scale-2[0] create-node was begun and never ended',
        atMs: 700,
        objects: [],
      },
    ]);
  });

  it('has nothing against an action that ended with an error', () => {
    const history = HistoryBuilder.of(scenarioOf()).begin('scale-2').beginAction();
    expect(check(history.endAction('refused').end()).status).to.equal('held');
  });

  it('names each object in which the final list differs', () => {
    const history = twoServed()
      .snapshot('nodes', (objects) => objects.slice(1))
      .at(3000)
      .end();
    expect(findingsOf(history)).to.deep.equal([
      {
        message: 'nodes/sim-1 is gone but its end was never seen',
        atMs: 3000,
        objects: ['nodes/sim-1'],
      },
    ]);
  });

  it('names the entries that are missing from it', () => {
    const history = twoServed().at(3000).lost(2).snapshot();
    const seq = history.toLines().length - 1;
    expect(findingsOf(history.lost().end())).to.deep.equal([
      {
        message: `entries ${seq} to ${seq + 1} are missing from the recording`,
        atMs: 3000,
        objects: [],
      },
      { message: `entry ${seq + 3} is missing from the recording`, atMs: 3000, objects: [] },
    ]);
  });

  it('has nothing against entries of a kind that it does not know', () => {
    expect(check(twoServed().unknown('weather').snapshot().end()).status).to.equal('held');
  });

  it('has nothing against a resumed watch', () => {
    const history = twoServed().record({
      kind: 'resume',
      resource: 'nodes',
      reason: 'closed',
      durationMs: 4,
    });
    expect(check(history.snapshot().end()).status).to.equal('held');
  });

  it('says everything at once', () => {
    const history = twoNodes()
      .gap(50)
      .snapshot('nodes', () => [])
      .end();
    expect(findingsOf(history)).to.have.length(3);
  });

  for (const reason of ['interrupted', 'error'] as const)
    it(`does not speak of a run that ended with ${reason}`, () => {
      expect(check(twoNodes().gap(50).end(reason))).to.deep.equal({
        status: 'not-applicable',
        reason: `the run was not completed (${reason})`,
      });
    });

  it('is no pass when nothing was done and nothing was listed', () => {
    expect(check(HistoryBuilder.of(scenarioOf()).end())).to.deep.equal({
      status: 'not-applicable',
      reason: 'no final list was taken and no action begun',
    });
  });
});
