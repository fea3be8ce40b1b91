import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { podOwner } from '../../../../src/sim/model/pod-names.ts';
import { MultiNicHistory, multiNicServed } from '../../../helpers/multi-nic-history.ts';

const STEPS: readonly JsonObject[] = [{ scale: { to: 2 } }, { allocate: { podsPerNode: 2 } }];
const [FIRST, SECOND] = [podOwner(1, 1), podOwner(1, 2)];

/** Two nodes, at the moment at which two pods of each begin to ask. */
const asking = (...steps: readonly JsonObject[]): MultiNicHistory =>
  multiNicServed({ steps: [...STEPS, ...steps] })
    .at(3000)
    .begin('allocate')
    .beginAction();
/** The rows of both pools of a node as they are from now on: its pods get the addresses 1 and 2. */
const leased = (history: MultiNicHistory, node: number, ...pods: readonly string[]) => {
  const rows = Object.fromEntries(pods.map((pod, i) => [i + 1, pod]));
  return history.leased(node, 0, rows).leased(node, 1, rows);
};
const served = (...steps: readonly JsonObject[]): MultiNicHistory => {
  const history = leased(asking(...steps), 1, FIRST, SECOND);
  return leased(history, 2, podOwner(2, 1), podOwner(2, 2)).endAction();
};
const held = (history: MultiNicHistory): number | undefined =>
  history.fold.currentStep?.progress()?.milestones.find(({ name }) => name === 'leases')?.held;
const asksOf = (history: MultiNicHistory, node = 'sim-1'): readonly string[] =>
  history.fold.facts.of(node, 'ask').map(({ owner }) => owner);

describe('pods that ask for addresses', () => {
  it('are facts from the moment at which the step begins to ask', () => {
    expect(asksOf(multiNicServed({ steps: STEPS }))).to.be.empty;
    expect(asksOf(asking())).to.deep.equal([FIRST, SECOND]);
    expect(FIRST).to.equal('sim-system/sim-1-pod-1');
  });

  it('keep their nodes from the milestone until each has an address in every pool', () => {
    const history = asking();
    expect(held(history)).to.equal(0);
    leased(history, 1, FIRST);
    expect(held(history)).to.equal(0);
    history.leased(1, 0, { 1: FIRST, 2: SECOND });
    expect(held(history)).to.equal(0);
    history.leased(1, 1, { 1: FIRST, 2: SECOND });
    expect(held(history)).to.equal(1);
    expect(history.endAction().state()).to.equal('pending');
  });

  it('make the step converge when all have theirs', () => {
    expect(served().state()).to.equal('settling');
    expect(served().at(5000).finish().result().steps[1]).to.include({ outcome: 'converged' });
    expect(served().result().steps[1]?.samples.get('leases')).to.have.length(2);
  });

  it('are not served by one address too many', () => {
    expect(
      held(served().leased(2, 0, { 1: podOwner(2, 1), 2: podOwner(2, 2), 3: FIRST })),
    ).to.equal(1);
  });

  it('are not served by the address of another', () => {
    expect(held(leased(served(), 2, podOwner(2, 1), podOwner(1, 1)))).to.equal(1);
  });

  it('are served as far as a block has addresses, where that is expected to be too few', () => {
    const history = multiNicServed({
      steps: [{ scale: { to: 2 } }, { allocate: { nodes: 1, podsPerNode: 70 } }],
      overflow: 'expected',
    });
    history.at(3000).begin('allocate').beginAction();
    const pods = Array.from({ length: 61 }, (_, i) => podOwner(1, i + 1));
    leased(history, 1, ...pods.slice(1));
    expect(held(history)).to.equal(1);
    leased(history, 1, ...pods);
    expect(held(history)).to.equal(2);
  });

  it('ask no more from the moment at which the step begins to give back', () => {
    const history = served({ deallocate: { podsPerNode: 1 } })
      .at(5000)
      .finish();
    history.at(6000).begin('deallocate').beginAction();
    expect(asksOf(history)).to.deep.equal([SECOND]);
    expect(held(history)).to.equal(0);
    leased(leased(history, 1), 2);
    expect(held(history)).to.equal(0);
    history.leased(1, 0, { 2: SECOND }).leased(1, 1, { 2: SECOND });
    expect(held(history)).to.equal(1);
  });

  it('end with their node, and so does what its daemon has granted', () => {
    const history = served({ scale: { to: 1 } }).granted(2, podOwner(2, 1), { 0: '192.168.0.65' });
    history.at(5000).finish().at(6000).begin('scale-1').act().gone(2);
    expect(asksOf(history, 'sim-2')).to.be.empty;
    expect(history.fold.facts.of('sim-2', 'grant')).to.be.empty;
    expect(asksOf(history, 'sim-1')).to.deep.equal([FIRST, SECOND]);
    expect(asksOf(history.node(2), 'sim-2')).to.be.empty;
  });

  it('are no part of a goal where no step asks', () => {
    const history = MultiNicHistory.begun();
    expect(held(history)).to.be.undefined;
  });
});
