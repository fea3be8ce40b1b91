import { expect } from 'chai';
import { nothingLeft } from '../../../../src/sim/invariants/nothing-left.ts';
import type { Verdict } from '../../../../src/sim/model/verdict.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { pod, rows, tables, twoRemoved, twoServed } from '../../../helpers/two-nodes.ts';

const check = (history: HistoryBuilder): Verdict => nothingLeft.check(history.result());
const TOO_EARLY = {
  status: 'not-applicable',
  reason: 'the recording ends before the grace period does',
};

/** A pod stays behind on each of two nodes that are removed at 3000. */
const withPods = (remove: string): HistoryBuilder => {
  const history = pod(
    pod(
      twoServed({ steps: [{ scale: { to: 2 } }, { scale: { to: 0, remove, within: '10s' } }] }),
      1,
    ),
    2,
  );
  return history.at(3000).begin('scale-0').act().removeNode(2).removeNode(1);
};
const withoutPods = (history: HistoryBuilder): HistoryBuilder =>
  history
    .remove('pods', { name: 'pod-1', namespace: 'default' })
    .remove('pods', { name: 'pod-2', namespace: 'default' });

describe('INV006, nothing is left', () => {
  it('gives 30 seconds after the node is gone', () => {
    expect(check(withoutPods(withPods('node-first').at(33_000)).at(34_000).canary())).to.include({
      status: 'held',
      checked: 2,
    });
    const late = check(withoutPods(withPods('node-first').at(33_001)).at(34_000).canary());
    expect(late.status === 'broken' && late.findings.map(({ message }) => message)).to.deep.equal(
      [1, 2].map(
        (i) =>
          `pods/default/pod-${i} still speaks of sim-${i} (pod) 30.000 s after the node was gone at 3.000 s`,
      ),
    );
  });

  it('gives the step that removed the node all of its time', () => {
    const slow = (): HistoryBuilder => {
      const steps = [{ scale: { to: 2 } }, { scale: { to: 0, within: '90s' } }];
      const history = pod(pod(twoServed({ steps }), 1), 2);
      return history.at(3000).begin('scale-0').act().at(3500).removeNode(2).removeNode(1);
    };
    expect(check(withoutPods(slow().at(92_999)).at(94_000).canary())).to.include({
      status: 'held',
    });
    const late = check(withoutPods(slow().at(93_001)).at(94_000).canary());
    expect(late).to.have.nested.property('findings[0].message').that.contains('89.500 s after');
  });

  it('gives 120 seconds when the pods are left to garbage collection', () => {
    const history = withoutPods(withPods('node-only').at(80_000)).at(124_000).canary();
    expect(check(history)).to.include({ status: 'held', checked: 2 });
    const late = check(withPods('node-only').at(123_000).canary());
    expect(late).to.have.nested.property('findings[0].message').that.contains('120.000 s after');
  });

  it('says nothing when the recording ends too early and something is left', () => {
    expect(check(withPods('node-first').at(32_999).canary())).to.deep.equal(TOO_EARLY);
  });

  it('holds when the recording ends early and nothing is left already', () => {
    expect(check(twoRemoved().at(4000).canary())).to.include({ status: 'held', checked: 2 });
  });

  it('holds a node that somebody else removed against the same time', () => {
    const history = pod(twoServed(), 1).at(3000).removeNode(1).at(34_000).canary();
    expect(check(history).status).to.equal('broken');
  });

  describe('when a name is used again', () => {
    const blocks = { b: { node: 'sim-2', cidr: '10.0.1.0/24' } };
    const removed = (): HistoryBuilder => {
      const steps = [
        { scale: { to: 2 } },
        { scale: { to: 1, within: '10s' } },
        { scale: { to: 2 } },
      ];
      const history = rows(tables({ steps }), blocks).at(2400).finish();
      return history.at(3000).begin('scale-1').act().removeNode(2).at(5000).finish();
    };

    it('says nothing of the first bearer, when that is within the time', () => {
      const history = removed().at(33_000).begin('scale-2-2').act().node(2);
      expect(check(history.at(60_000).canary())).to.deep.equal(TOO_EARLY);
    });

    it('still catches what was left of the first bearer until the time was over', () => {
      const history = removed().at(33_001).begin('scale-2-2').act().node(2);
      expect(check(history.at(60_000).canary()).status).to.equal('broken');
    });

    it('does not take what the second bearer has for what is left of the first', () => {
      const history = rows(removed(), {}).at(33_001).begin('scale-2-2').act().node(2);
      rows(history, blocks);
      expect(check(history.at(60_000).canary())).to.include({ status: 'held', checked: 1 });
    });
  });
});
