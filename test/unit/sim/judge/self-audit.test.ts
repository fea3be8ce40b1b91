import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { auditRun } from '../../../../src/sim/judge/self-audit.ts';
import type { StepAudit } from '../../../../src/sim/model/run-report.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { twoNodes, twoServed } from '../../../helpers/two-nodes.ts';

const auditOf = (history: HistoryBuilder): StepAudit =>
  auditRun(history.result()).steps[0] ?? expect.fail('the step was not audited');

/** A step that converged after so long, with these observation errors of the canary in its course. */
function withErrors(convergedMs: number, errors: readonly (number | null)[]): StepAudit {
  const history = twoNodes({ steps: [{ scale: { to: 2 } }] });
  for (const observationMs of errors) history.canary({ observationMs, loopDelayMs: 0 });
  history
    .at(convergedMs)
    .serve(1)
    .serve(2)
    .at(convergedMs + 2000)
    .finish();
  return auditOf(history);
}
const times = (n: number, value: number): number[] => Array.from({ length: n }, () => value);

describe('the error of observation', () => {
  it('is the median below 50 samples', () => {
    expect(withErrors(1000, [...times(25, 5), ...times(24, 900)])).to.deep.include({
      samples: 49,
      errorMs: 5,
      valid: true,
    });
    expect(withErrors(1000, [...times(24, 5), ...times(25, 900)])).to.deep.include({
      errorMs: 900,
      valid: false,
      reasons: ['observation lagged by 900ms, more than 250ms'],
    });
  });

  it('is the p95 from 50 samples on, so that one late event in ten seconds voids no step', () => {
    expect(withErrors(1000, [...times(49, 5), 900])).to.include({ errorMs: 5, valid: true });
    expect(withErrors(1000, [...times(47, 5), 900, 901, 902])).to.include({ errorMs: 900 });
    expect(withErrors(1000, [...times(95, 5), ...times(4, 900)])).to.include({ errorMs: 5 });
  });

  it('is the p99 from 100 samples on', () => {
    expect(withErrors(1000, [...times(99, 5), 900])).to.include({ errorMs: 5, valid: true });
    expect(withErrors(1000, [...times(98, 5), 900, 901])).to.include({ errorMs: 900 });
  });

  it('may be 250 ms in a short step, and not more', () => {
    expect(withErrors(1000, [250])).to.include({ limitMs: 250, valid: true });
    expect(withErrors(1000, [251])).to.include({ limitMs: 250, valid: false });
  });

  it('may be a tenth of the convergence time in a longer one', () => {
    expect(withErrors(10_000, [1000])).to.include({ limitMs: 1000, valid: true });
    expect(withErrors(10_000, [1001])).to.include({ limitMs: 1000, valid: false });
  });

  it('is held against the time of its own step, wherever that stands in the run', () => {
    const steps = [{ scale: { to: 2 } }, { scale: { to: 3 } }];
    const later = (): HistoryBuilder =>
      twoServed({ steps }).at(50_000).begin('scale-3').at(51_000).act().node(3).canary();
    const converged = later().at(57_000).serve(3).at(59_000).finish();
    expect(auditRun(converged.result()).steps[1]).to.include({ limitMs: 600 });
    const missed = later().at(171_000).finish();
    expect(auditRun(missed.result()).steps[1]).to.include({ limitMs: 12_100 });
  });

  it('is the delay of the event loop where that is greater', () => {
    const history = twoNodes().canary({ observationMs: 5, loopDelayMs: 400 });
    expect(auditOf(history.serve(1).serve(2).at(2400).finish())).to.include({
      errorMs: 400,
      valid: false,
    });
  });

  it('says nothing by a canary whose event never came', () => {
    expect(withErrors(1000, [null, null, 7])).to.include({ samples: 3, errorMs: 0, valid: true });
  });

  it('is not that of another step', () => {
    const history = twoServed({ steps: [{ scale: { to: 2 } }, { hold: { for: '1s' } }] });
    history.at(2500).canary({ observationMs: 9000 }).at(3000).begin('hold').act();
    expect(auditOf(history.canary().at(4000).finish())).to.include({ samples: 0, valid: true });
    expect(auditRun(history.result()).steps[1]).to.include({ samples: 1, errorMs: 5 });
  });
});

describe('a step is invalid', () => {
  const steps: JsonObject[] = [{ scale: { to: 2 } }];
  const reasonsOf = (disturb: (history: HistoryBuilder) => HistoryBuilder): readonly string[] => {
    const history = disturb(twoNodes({ steps }).canary().at(300).serve(1).serve(2).at(1000));
    return auditOf(history.at(2400).finish()).reasons;
  };

  it('when a gap overlaps it', () => {
    expect(reasonsOf((history) => history.gap(500))).to.deep.equal([
      'the watch of nodes has a gap: 410 Gone',
    ]);
  });

  it('when the API server stalls in it', () => {
    expect(
      reasonsOf((history) =>
        history.record({ kind: 'stall', fromMs: 400, toMs: 900, what: 'the API server stalled' }),
      ),
    ).to.deep.equal(['the API server stalled from 400ms to 900ms']);
  });

  it('when somebody else removes one of our nodes', () => {
    expect(reasonsOf((history) => history.removeNode(2).node(2).serve(2))).to.deep.equal([
      'somebody else removed sim-2 at 1.0s',
    ]);
  });

  it('when it was long and not watched at all', () => {
    const unwatched = (ms: number) =>
      auditOf(twoNodes({ steps }).serve(1).serve(2).at(ms).finish()).reasons;
    expect(unwatched(3000)).to.be.empty;
    expect(unwatched(3001)).to.deep.equal(['no canary was seen']);
  });

  it('for all its reasons at once', () => {
    expect(reasonsOf((history) => history.gap(500).gap(600).removeNode(1))).to.have.length(3);
  });

  it('but not by what happened before it began or after it ended', () => {
    const history = twoServed({ steps: [{ scale: { to: 2 } }, { hold: { for: '1s' } }] });
    history.at(2900).gap(2500).at(3000).begin('hold').act().canary().at(4000).finish();
    history.at(4500).removeNode(1).at(4600).gap(4100);
    const audit = auditRun(history.result());
    expect(audit.steps.map(({ valid }) => valid)).to.deep.equal([true, true]);
    expect(audit.gaps).to.equal(2);
  });
});

describe('auditRun', () => {
  it('audits no step that was skipped or never ended', () => {
    const steps: JsonObject[] = [{ scale: { to: 2 } }, { scale: { to: 0 } }];
    const audit = auditRun(twoNodes({ steps }).gap(50).skip('scale-0', 'halted').result());
    expect(audit).to.deep.include({ valid: true, steps: [] });
  });

  it('is invalid when one step is', () => {
    const history = twoServed({ steps: [{ scale: { to: 2 } }, { hold: { for: '1s' } }] });
    history.at(3000).begin('hold').act().gap(2990).at(4000).finish();
    expect(auditRun(history.result()).valid).to.be.false;
  });

  it('sums up the canary, without events that never came', () => {
    const history = twoNodes()
      .canary({ observationMs: 10, writeMs: 3, loopDelayMs: 1 })
      .canary({ observationMs: null, writeMs: 5, loopDelayMs: 2 })
      .canary({ observationMs: 20, writeMs: 4, loopDelayMs: 0 });
    expect(auditRun(history.result())).to.deep.include({
      observationMs: { p50: 10, p99: 20 },
      writeMs: { p50: 4, p99: 5 },
      loopDelayMs: { p50: 1, p99: 2 },
      resumes: 0,
    });
  });

  it('knows nothing of a canary that was never seen: no zeros', () => {
    expect(auditRun(twoNodes().result())).to.include({
      observationMs: null,
      writeMs: null,
      loopDelayMs: null,
      cpuShare: null,
    });
  });

  it('tells the share of sim in the CPU time of all processes', () => {
    const usage = (component: string, cpuMs: number) => ({ component, pid: 1, cpuMs, rssBytes: 1 });
    const history = twoNodes().record({
      kind: 'usage',
      samples: [usage('sim', 25), usage('controller', 50), usage('etcd', 25)],
    });
    expect(auditRun(history.result()).cpuShare).to.equal(0.25);
    const others = twoNodes().record({ kind: 'usage', samples: [usage('etcd', 25)] });
    expect(auditRun(others.result()).cpuShare).to.be.null;
  });
});
