import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { roundMs } from '../../../../src/sim/base/units.ts';
import type { RunReport, StepReport } from '../../../../src/sim/model/run-report.ts';
import { reportOf } from '../../../../src/sim/run/judge-run.ts';
import { expectGolden } from '../../../helpers/golden.ts';
import { happyRun } from '../../../helpers/happy-run.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';
import { reread } from '../../../helpers/reread.ts';
import { twoNodes, twoServed } from '../../../helpers/two-nodes.ts';

const report = (history: HistoryBuilder): RunReport =>
  reportOf(history.result(), history.planned.profile);
const stepOf = (history: HistoryBuilder, step = 0): StepReport =>
  report(history).steps[step] ?? expect.fail('the report has no such step');

/** Every number below a key that ends in Ms, and the values of thresholds on times, by path. */
function timesIn(
  value: unknown,
  path = '',
  isTime = false,
): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return isTime ? [[path, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    timesIn(
      inner,
      `${path}.${key}`,
      isTime || key.endsWith('Ms') || (key === 'value' && 'unit' in value && value.unit === 'ms'),
    ),
  );
}

const STEPS: JsonObject[] = [
  { scale: { to: 2 } },
  { restart: { what: 'controller' } },
  { hold: { for: '3s' } },
  { scale: { to: 0 } },
];

describe('report.json', () => {
  const history = happyRun(
    scenarioOf({
      steps: STEPS,
      expect: ['all(cidr) < 5s', 'all(gone) < 5s', 'step(scale-2).sum(api.requests) < 100'],
    }),
  );

  it('has the shape that other programs read', () => {
    expectGolden('reports/small.json', `${JSON.stringify(report(history), null, 2)}\n`);
  });

  it('is the same when it is made again from the recording', () => {
    const again = reportOf(reread(history), history.planned.profile);
    expect(again).to.deep.equal(report(history));
  });

  it('can be written as JSON without losing anything: what is not known is null', () => {
    const written: unknown = JSON.parse(JSON.stringify(report(history)));
    expect(written).to.deep.equal(report(history));
  });

  it('has no time with more digits than microseconds, however the moments lie', () => {
    const odd = HistoryBuilder.of(
      scenarioOf({
        steps: STEPS.slice(0, 2),
        expect: ['all(cidr) < 5s', 'sum(controller.cpu) < 5s'],
      }),
    );
    const noise = { observationMs: 0.11490800045, writeMs: 7.09891499951, loopDelayMs: 0.862591 };
    const usage = (cpuMs: number): HistoryBuilder =>
      odd.record({
        kind: 'usage',
        samples: [{ component: 'controller', pid: 7, cpuMs, rssBytes: 1 }],
      });
    odd.ready().at(1000.1).begin('scale-2');
    usage(0.1);
    odd.act().node(1).node(2).at(3040.7).canary(noise).serve(1).at(6041.3).serve(2);
    odd.at(8100.3);
    usage(0.3);
    odd.finish().at(8200.1).begin('restart-controller').act(2).node(3).beginAction();
    odd.at(8800.3).serve(3).endAction().act().canary(noise).removeNode(3).at(11_000.7).finish();
    const noisy = timesIn(report(odd.end())).filter(([, ms]) => ms !== roundMs(ms));
    expect(noisy).to.be.empty;
    expect(stepOf(odd, 1).recoveryMs).to.equal(600.2);
  });

  it('says what was under test', () => {
    expect(report(history)).to.deep.include({
      schema: 'sim.report/1',
      verdict: 'pass',
      exitCode: 0,
      runtime: { name: 'kwokctl', preset: 'realistic' },
      versions: { sim: '0.0.0-test', kubernetes: 'v1.36.1' },
    });
  });

  it('has no controller when the run ended before there was one', () => {
    const broken = HistoryBuilder.of(scenarioOf()).end('error', 'SIM_CLUSTER_START');
    expect(report(broken)).to.deep.include({
      controller: null,
      versions: { sim: '0.0.0-test' },
      exitCode: 3,
    });
    expect(stepOf(broken)).to.include({ status: 'skipped', startMs: null, endMs: null });
  });
});

describe('the report of a step', () => {
  it('has the convergence time from the first action', () => {
    const history = HistoryBuilder.of(scenarioOf()).at(500).begin('scale-2').at(1000).act();
    history.node(1).node(2).at(1700).serve(1).at(1900).serve(2).canary().at(3900).finish();
    expect(stepOf(history)).to.deep.include({
      name: 'scale-2',
      kind: 'scale',
      status: 'converged',
      reason: null,
      nodes: 2,
      startMs: 500,
      endMs: 3900,
      convergedMs: 900,
      settleMs: 2000,
      api: null,
      recoveryMs: null,
    });
  });

  it('has no convergence time when it missed its goal, even if it held in the end', () => {
    const steps = [{ scale: { to: 2, within: '1s' } }];
    const history = twoNodes({ steps }).at(1500).serve(1).serve(2).at(1600).finish();
    expect(stepOf(history)).to.include({ status: 'failed', convergedMs: null });
  });

  it('is failed when it was interrupted', () => {
    expect(stepOf(twoNodes().at(500).finish('interrupted by SIGINT'))).to.include({
      status: 'failed',
      reason: 'interrupted by SIGINT',
    });
  });

  it('is invalid when the self-audit says so, converged or not', () => {
    const stall = { kind: 'stall', fromMs: 200, toMs: 300, what: 'late' } as const;
    expect(stepOf(twoServed().record(stall)).status).to.equal('invalid');
    expect(stepOf(twoNodes().at(120_000).finish().record(stall)).status).to.equal('invalid');
  });

  it('has the milestones that it was to have samples of, even when there are none', () => {
    const skipped = HistoryBuilder.of(scenarioOf()).begin('scale-2');
    expect(Object.keys(stepOf(skipped).milestones)).to.deep.equal(['cidr']);
    expect(Object.keys(stepOf(twoServed()).milestones)).to.deep.equal(['cidr']);
  });

  it('has milestones that it was not to have samples of only when something was lost', () => {
    const steps: JsonObject[] = [{ scale: { to: 2 } }, { hold: { for: '1s' } }];
    const hold = (): HistoryBuilder => twoServed({ steps }).at(3000).begin('hold');
    expect(stepOf(hold().at(4000).act().finish(), 1).milestones).to.be.empty;
    const lost = hold().node(1, { podCIDRs: [] }).at(4000).act().finish();
    expect(stepOf(lost, 1).milestones)
      .to.have.nested.property('cidr.missing')
      .deep.equal(['sim-1']);
  });

  it('has the cost on the API server, in all and for each node that was added', () => {
    const history = twoServed({ steps: STEPS }).api('scale-2', 50).api('hold', 4);
    expect(stepOf(history).api).to.include({
      source: 'audit-log',
      requests: 50,
      conflicts: 1,
      requestsPerNodeAdded: 25,
    });
    expect(stepOf(history, 2).api).to.include({ requests: 4, requestsPerNodeAdded: null });
  });

  it('has the recovery after a restart', () => {
    const history = twoServed({ steps: STEPS }).at(3000).begin('restart-controller').act(2);
    history.node(3).beginAction().at(3800).serve(3).endAction().act().removeNode(3);
    expect(stepOf(history.at(6000).finish(), 1)).to.include({ recoveryMs: 800 });
  });
});
