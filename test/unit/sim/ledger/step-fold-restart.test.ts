import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { StepRecord } from '../../../../src/sim/model/recorded-run.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';

/** One served node at 5000, and the last step just begun. */
const beforeThe = (name: string, ...steps: readonly JsonObject[]): HistoryBuilder =>
  HistoryBuilder.of(scenarioOf({ steps: [{ scale: { to: 1 } }, ...steps] }))
    .begin('scale-1')
    .act()
    .node(1)
    .serve(1)
    .at(4000)
    .finish()
    .at(5000)
    .begin(name);

const lastRecord = (history: HistoryBuilder): StepRecord => history.result().steps[1]!;

describe('a hold', () => {
  const hold = (): HistoryBuilder => beforeThe('hold', { hold: { for: '10s' } }).beginAction();

  it('converges when nothing is lost until it is over', () => {
    const history = hold().at(15_000).endAction();
    expect(history.state()).to.equal('converged');
    expect(lastRecord(history.finish())).to.deep.include({
      outcome: 'converged',
      quietSinceMs: 5000,
    });
  });

  it('misses when something is lost for a moment', () => {
    const history = hold().at(8000).node(1, { podCIDRs: [] }).at(8001).serve(1);
    expect(history.at(15_000).endAction().state()).to.equal('missed');
    const record = lastRecord(history.finish());
    expect(record).to.deep.include({
      outcome: 'failed',
      reason: 'something was lost for a time',
    });
    expect(record.samples.get('cidr')?.map(({ node }) => node)).to.deep.equal(['sim-1']);
  });

  it('says what is lost when it is still so at its end', () => {
    const history = hold().at(8000).node(1, { podCIDRs: [] }).at(15_000).endAction().finish();
    expect(lastRecord(history).reason).to.equal('lost: cidr holds for 0 of 1 node, not for sim-1');
  });

  it('misses when something comes that should not be there', () => {
    const history = hold().at(8000).node(7).at(15_000).endAction();
    expect(history.state()).to.equal('missed');
  });
});

describe('a restart with a proof of life', () => {
  const restart = (): HistoryBuilder =>
    beforeThe('restart-controller', { restart: { what: 'controller', within: '30s' } });
  /** Restarted from 5000 to 6000, the probe created at 6000, served at 6800. */
  const proven = (): HistoryBuilder =>
    restart().beginAction().at(6000).endAction().act(1).at(6100).node(2).beginAction();

  it('waits for the probe to be served', () => {
    const history = proven();
    const step = history.fold.currentStep;
    expect(step?.awaitedHolds()).to.be.false;
    expect(step?.awaiting?.nodes).to.deep.equal({ from: 2, to: 2 });
    history.at(6800).serve(2);
    expect(step?.awaitedHolds()).to.be.true;
    expect(step?.awaiting).to.be.undefined;
  });

  it('converges when the probe was served and has gone again', () => {
    const history = proven().at(6800).serve(2).endAction().act();
    expect(history.state()).to.equal('pending');
    history.at(7000).removeNode(2);
    expect(history.state(8999)).to.equal('settling');
    expect(lastRecord(history.at(9000).finish())).to.deep.include({
      outcome: 'converged',
      quietSinceMs: 7000,
      recovery: { fromMs: 6000, toMs: 6800 },
    });
  });

  it('has proven its life also when the probe is lost again afterwards', () => {
    const history = proven().at(6800).serve(2).node(2, { podCIDRs: [] }).endAction().act();
    expect(history.at(7000).removeNode(2).state(9000)).to.equal('converged');
  });

  it('has missed, when the probe was never served, even after it has gone', () => {
    const history = proven().at(20_000).endAction().act().at(20_100).removeNode(2);
    expect(history.state()).to.equal('missed');
    expect(lastRecord(history.finish())).to.deep.include({
      outcome: 'failed',
      reason: 'no proof of life: cidr not reached for sim-2',
      recovery: { fromMs: 6000, toMs: undefined },
    });
  });

  it('takes a probe that is served before it is waited for', () => {
    const history = restart().beginAction().at(6000).endAction().act(1).at(6100).node(2).serve(2);
    history.at(6200).beginAction();
    expect(history.fold.currentStep?.awaitedHolds()).to.be.true;
  });

  it('has recovered only when the other nodes are whole too', () => {
    const history = restart().beginAction().at(5500).node(1, { podCIDRs: [] }).at(6000).endAction();
    history.act(1).at(6100).node(2).beginAction().at(6800).serve(2).endAction().act();
    history.at(7000).removeNode(2).at(8200).serve(1);
    expect(lastRecord(history).recovery).to.deep.equal({ fromMs: 6000, toMs: 8200 });
  });
});

describe('a restart without one', () => {
  const restart = (): HistoryBuilder =>
    beforeThe('restart-controller', { restart: { what: 'controller', probe: false } });

  it('looks converged when nothing was lost: the design says so, and so does the plan', () => {
    const history = restart().beginAction().at(6000).endAction();
    expect(history.state(8000)).to.equal('converged');
    expect(lastRecord(history).recovery).to.deep.equal({ fromMs: 6000, toMs: 6000 });
  });
});

describe('a step without a restart', () => {
  it('has nothing to recover from', () => {
    expect(lastRecord(beforeThe('scale-0', { scale: { to: 0 } }).act()).recovery).to.be.undefined;
  });
});

describe('a restart in the middle of a scale step', () => {
  it('has recovered when everything holds', () => {
    const during = [{ at: 2, restart: { what: 'controller' } }];
    const history = beforeThe('scale-3', { scale: { to: 3, during } });
    history.act(1).node(2).beginAction().at(5600).endAction().act().node(3);
    history.at(6000).serve(2).at(6500).serve(3);
    expect(lastRecord(history.at(8500).finish()).recovery).to.deep.equal({
      fromMs: 5600,
      toMs: 6500,
    });
  });
});
