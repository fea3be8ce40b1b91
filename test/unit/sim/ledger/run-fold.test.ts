import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { RunFold } from '../../../../src/sim/ledger/run-fold.ts';
import type { CounterRecord } from '../../../../src/sim/model/recorded-run.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { MultiNicHistory, routesTo } from '../../../helpers/multi-nic-history.ts';
import { planned, scenarioOf } from '../../../helpers/planned-scenario.ts';
import { plainRun, reread } from '../../../helpers/reread.ts';
import { tableScenario, type TableRow } from '../../../helpers/table-profile.ts';

const network = 'net';
const row = (node: number, block: number): JsonObject & TableRow => ({
  node: `sim-${node}`,
  cidr: `10.0.${block}.0/24`,
});
const rowsFor = (nodes: number): Record<string, JsonObject> =>
  Object.fromEntries(Array.from({ length: nodes }, (_, i) => [`r${i + 1}`, row(i + 1, i)]));

/** The table as it stands, with blocks for so many nodes. */
const table = (
  history: HistoryBuilder,
  processed: number,
  rows: Record<string, JsonObject>,
): HistoryBuilder =>
  history.object('tables', { name: 't' }, { fields: { network, counters: { processed } }, rows });

describe('RunFold', () => {
  describe('with counters', () => {
    const counting = (...steps: readonly JsonObject[]): HistoryBuilder =>
      HistoryBuilder.ofTables(
        tableScenario({ operator: { profile: 'tables', counts: ['processed'] }, steps }),
      );
    const recordOf = (history: HistoryBuilder, step: number): CounterRecord | undefined =>
      history.result().steps[step]?.counters.get(network)?.get('processed');

    const two = (): HistoryBuilder =>
      counting(
        { scale: { to: 2 } },
        { restart: { what: 'controller' } },
        { scale: { to: 1 } },
        { scale: { to: 2 } },
      )
        .begin('scale-2')
        .act()
        .node(1)
        .node(2);

    it('converges only when they equal the number of nodes', () => {
      const history = table(two().at(1000), 1, rowsFor(2));
      expect(history.state()).to.equal('pending');
      expect(history.fold.currentStep?.progress()?.countersOff).to.deep.equal(['net/processed=1']);
      table(history.at(3000), 2, rowsFor(2));
      expect(history.state(5000)).to.equal('converged');
      expect(history.at(5000).finish().result().steps[0]).to.include({ quietSinceMs: 3000 });
    });

    it('says by which counter a step has missed its goal', () => {
      const history = table(two(), 1, rowsFor(2)).at(120_000).finish();
      expect(history.result().steps[0]?.reason).to.equal('not within 2m00s: net/processed=1');
    });

    it('counts a fall as a regression, and takes the last quiet stretch', () => {
      const history = table(two().at(1000), 2, rowsFor(2));
      table(history.at(1500), 1, rowsFor(2));
      table(history.at(2500), 2, rowsFor(2)).at(4500).finish();
      expect(recordOf(history, 0)).to.deep.include({
        final: 2,
        regressions: [{ atMs: 1500, from: 2, to: 1 }],
      });
      expect(history.result().steps[0]).to.include({ quietSinceMs: 2500, outcome: 'converged' });
    });

    it('counts no fall while nodes are taken away', () => {
      const history = table(two(), 2, rowsFor(2)).at(2000).finish();
      history.at(3000).begin('scale-1').act().removeNode(2);
      table(history, 1, rowsFor(1)).at(6000).finish();
      expect(recordOf(history, 2)).to.deep.include({ final: 1, regressions: [] });
    });

    it('counts no fall when the probe of a restart is taken away', () => {
      const history = table(two(), 2, rowsFor(2)).at(2000).finish();
      history.at(3000).begin('restart-controller').act(2).node(3).beginAction();
      table(history.at(3500), 3, rowsFor(3)).endAction().act().removeNode(3);
      table(history, 2, rowsFor(2)).at(6000).finish();
      expect(history.result().steps[1]?.outcome).to.equal('converged');
      expect(recordOf(history, 1)).to.deep.include({ final: 2, regressions: [] });
    });

    it('counts a fall between two steps for the later one', () => {
      const history = table(two(), 2, rowsFor(2)).at(2000).finish();
      table(history.at(2500), 1, rowsFor(2));
      table(history.at(3000).begin('restart-controller'), 2, rowsFor(2)).finish();
      expect(recordOf(history, 0)?.regressions).to.be.empty;
      expect(recordOf(history, 1)?.regressions).to.have.length(1);
    });

    it('counts a fall during a restart before its probe is taken away', () => {
      const history = table(two(), 2, rowsFor(2)).at(2000).finish();
      table(history.at(3000).begin('restart-controller').act(1), 0, rowsFor(2));
      expect(recordOf(table(history, 2, rowsFor(2)).finish(), 1)?.regressions).to.have.length(1);
    });
  });

  describe('with writes of the operator', () => {
    const writing = (): HistoryBuilder =>
      HistoryBuilder.ofTables(tableScenario({ steps: [{ scale: { to: 1 } }] }))
        .begin('scale-1')
        .act()
        .node(1);
    const unrestOf = (history: HistoryBuilder) => history.result().steps[0]?.unrest;

    it('has none at rest when the last one made everything hold', () => {
      expect(unrestOf(table(writing().at(500), 1, rowsFor(1)).at(2500).finish())).to.be.empty;
    });

    it('has every one at rest, even one that changes nothing of what is kept', () => {
      const history = table(writing().at(500), 1, rowsFor(1));
      table(history.at(900), 1, rowsFor(1)).at(2500).finish();
      expect(unrestOf(history)).to.deep.equal([{ atMs: 900, object: 'tables/t' }]);
    });

    it('forgets those at rest when something is lost again: it was not at rest then', () => {
      const history = table(writing().at(500), 1, rowsFor(1));
      table(history.at(900), 1, rowsFor(1));
      table(history.at(1000), 1, {});
      table(history.at(1500), 1, rowsFor(1)).at(3500).finish();
      expect(unrestOf(history)).to.be.empty;
    });
  });

  it('counts the actions that began, and names those that never ended', () => {
    const history = HistoryBuilder.of(scenarioOf()).begin('scale-2').act(1).beginAction();
    expect(history.result().actions).to.deep.equal({
      begun: 2,
      unended: ['scale-2[1] create-node'],
    });
    expect(history.endAction('the API server refused').result().actions.unended).to.be.empty;
  });

  it('keeps gaps with both their ends, and counts resumes', () => {
    const history = HistoryBuilder.of(scenarioOf()).at(5000).gap(4000);
    history.record({ kind: 'resume', resource: 'nodes', reason: 'closed', durationMs: 3 });
    const { gaps, resumes } = history.result();
    expect(gaps).to.have.length(1);
    expect(gaps[0]).to.include({
      resource: 'nodes',
      reason: '410 Gone',
      fromMs: 4000,
      toMs: 5000,
    });
    expect(resumes).to.equal(1);
  });

  it('knows the calls to a daemon while its node lives, and those of the next bearer of the name', () => {
    const history = MultiNicHistory.begun();
    const told = (): number => history.fold.facts.of('sim-1', 'routes').length;
    history.told(1, routesTo(1, [2]));
    expect(told()).to.equal(1);
    history.removeNode(1).told(1, routesTo(1, [2]));
    expect(told()).to.equal(0);
    history.node(1).told(1, routesTo(1, [2]));
    expect(told()).to.equal(1);
  });

  describe('with numbers that are missing', () => {
    it('keeps from where to where, and when the recording went on', () => {
      const history = HistoryBuilder.of(scenarioOf()).ready().at(400).lost(2).canary();
      expect(history.lost().at(700).canary().result().holes).to.deep.equal([
        { fromSeq: 3, toSeq: 4, atMs: 400 },
        { fromSeq: 6, toSeq: 6, atMs: 700 },
      ]);
    });

    it('counts the entries that it passes over', () => {
      const history = HistoryBuilder.of(scenarioOf()).unknown('weather').canary();
      expect(history.result().holes).to.be.empty;
      expect(history.lost().unknown('weather').canary().result().holes).to.deep.equal([
        { fromSeq: 3, toSeq: 3, atMs: 0 },
      ]);
    });
  });

  it('keeps the wall times of a step, to match logs with', () => {
    const history = HistoryBuilder.of(scenarioOf()).at(500).begin('scale-2').at(900).finish();
    expect(history.result().steps[0]?.wallMs).to.deep.equal({ begin: 1500, end: 1900 });
  });

  it('keeps which parts of the cluster ended', () => {
    const history = HistoryBuilder.of(scenarioOf());
    history.record({ kind: 'component', event: 'exited', component: 'etcd', pid: 7 });
    expect(history.result().componentExits.map(({ component }) => component)).to.deep.equal([
      'etcd',
    ]);
  });

  it('passes over what a later version has recorded, and names it once', () => {
    const history = HistoryBuilder.of(scenarioOf()).unknown('weather').unknown('weather');
    expect(history.result().unknownKinds).to.deep.equal(['weather']);
  });

  it('passes over steps that the plan does not have', () => {
    const history = HistoryBuilder.of(scenarioOf());
    history.record({ kind: 'step', phase: 'begin', step: 'other' });
    expect(history.fold.currentStep).to.be.undefined;
    expect(history.result().steps).to.have.length(1);
  });

  it('cannot be asked before there was a header', () => {
    const { plan, model } = planned(scenarioOf());
    expect(() => new RunFold(plan, model).result()).to.throw(RangeError, 'no header');
  });

  it('comes to the same result from the lines of the recording as it did live', () => {
    const history = HistoryBuilder.of(
      scenarioOf({ steps: [{ scale: { to: 2 } }, { restart: { what: 'controller' } }] }),
    ).ready();
    history.at(1000).begin('scale-2').act().node(1).node(2).at(1300).serve(1).serve(2).canary();
    history
      .at(2000)
      .gap(1500)
      .lost(3)
      .unknown('weather')
      .at(4000)
      .finish()
      .begin('restart-controller');
    history.act(2).node(3).serve(3).act().removeNode(3).removeNode(1).at(9000);
    history.snapshot().end();
    expect(plainRun(reread(history))).to.deep.equal(plainRun(history.result()));
  });
});
