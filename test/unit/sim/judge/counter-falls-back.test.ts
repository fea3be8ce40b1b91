import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { RunReport } from '../../../../src/sim/model/run-report.ts';
import { markdownSummary } from '../../../../src/sim/report/markdown.ts';
import { terminalSummary } from '../../../../src/sim/report/terminal.ts';
import { reportOf } from '../../../../src/sim/run/judge-run.ts';
import { MultiNicHistory } from '../../../helpers/multi-nic-history.ts';
import { rowsOf } from '../../../helpers/multi-nic-raw.ts';
import { reread } from '../../../helpers/reread.ts';

const TEN = Array.from({ length: 10 }, (_, i) => i + 1);
const NO_REGRESSIONS = 'regressions(processed) == 0';

const ten = (changes: JsonObject = {}): MultiNicHistory =>
  MultiNicHistory.begun({
    settle: '5s',
    steps: [{ scale: { to: 10, within: '60s' } }],
    expect: [NO_REGRESSIONS, 'all(cidr) < 30s'],
    ...changes,
  })
    .canary()
    .at(4000)
    .served(10);

/** Its nodes are served after 4 s; then `processed` falls back, and is whole again at 12 s. */
function fallsBack(): MultiNicHistory {
  const history = ten();
  expect(history.state(8999)).to.equal('settling');
  history.at(7500).counters(10, 10, 7).at(9000);
  expect(history.state()).to.equal('pending');
  history.counters(10, 10, 8).at(12_000).counters(10);
  expect(history.state(16_999)).to.equal('settling');
  return history.at(17_000).finish();
}

const endOf = (history: MultiNicHistory): MultiNicHistory => {
  for (const { id } of history.planned.model.resources) history.snapshot(id);
  return history.canary().snapshot('nodes').end();
};
const reported = (history: MultiNicHistory): RunReport =>
  reportOf(endOf(history).result(), history.planned.profile);

describe('a counter of multi-nic that reaches all nodes, falls back and recovers', () => {
  it('has the step converge at the start of its last quiet stretch', () => {
    expect(fallsBack().result().steps[0]).to.deep.include({
      outcome: 'converged',
      zeroMs: 0,
      quietSinceMs: 12_000,
    });
    expect(reported(fallsBack()).steps[0]).to.include({ status: 'converged', convergedMs: 12_000 });
  });

  it('is listed in the report with the time and the size of its fall, and seen in its curve', () => {
    const [step] = reported(fallsBack()).steps;
    expect(step?.counters['net']).to.deep.equal({
      total: { final: 10, regressions: [], curve: [[4000, 10]] },
      available: { final: 10, regressions: [], curve: [[4000, 10]] },
      processed: {
        final: 10,
        regressions: [{ atMs: 7500, from: 10, to: 7 }],
        curve: [
          [4000, 10],
          [7500, 7],
          [9000, 8],
          [12_000, 10],
        ],
      },
    });
  });

  it('is named in the summaries', () => {
    const report = reported(fallsBack());
    expect(markdownSummary(report)).to.contain(
      '## Counters that fell back\n\n- scale-10: net/processed 10 → 7 at 7.5s\n',
    );
    expect(terminalSummary(report, undefined)).to.include(
      'scale-10: fell back: net/processed 10 → 7 at 7.5s',
    );
  });

  it('breaks the threshold on regressions, and no other', () => {
    const { thresholds, verdict, exitCode, reasons } = reported(fallsBack());
    expect(thresholds.map(({ expr, status, value }) => [expr, status, value])).to.deep.equal([
      [NO_REGRESSIONS, 'broken', 1],
      ['all(cidr) < 30s', 'held', 4000],
    ]);
    expect({ verdict, exitCode }).to.deep.equal({ verdict: 'fail', exitCode: 1 });
    expect(reasons).to.deep.equal([`threshold ${NO_REGRESSIONS} in scale-10: got 1, limit 0`]);
  });

  it('leaves the times of the milestones alone: no node has lost anything', () => {
    const [step] = reported(fallsBack()).steps;
    expect(step?.milestones['routes']).to.include({ count: 10, firstMs: 4000, allMs: 4000 });
  });

  it('is judged the same from the lines of the recording', () => {
    const history = endOf(fallsBack());
    const { profile } = history.planned;
    expect(reportOf(reread(history), profile)).to.deep.equal(reportOf(history.result(), profile));
  });

  it('passes when it never fell back', () => {
    const { verdict, steps, reasons } = reported(ten().at(9000).finish());
    expect(reasons).to.be.empty;
    expect(verdict).to.equal('pass');
    expect(steps[0]?.convergedMs).to.equal(4000);
  });

  it('takes rows with it, when the operator forgets nodes: their blocks are lost too', () => {
    const history = ten();
    history
      .at(7500)
      .cidr(...rowsOf(...TEN.slice(0, 7)))
      .counters(10, 10, 7);
    history
      .at(12_000)
      .cidr(...rowsOf(...TEN))
      .counters(10);
    const { steps, reasons } = reported(history.at(17_000).finish());
    expect(steps[0]?.convergedMs).to.equal(12_000);
    // In the sample of the step, a node holds a milestone since it holds it for good.
    expect(steps[0]?.milestones['cidr']).to.include({ count: 10, firstMs: 4000, allMs: 12_000 });
    expect(reasons.map((reason) => reason.slice(0, 28))).to.deep.equal([
      'INV007: sim-8 lost 192.168.1',
      'threshold regressions(proces',
    ]);
  });

  it('misses the step when it recovers only after the bound', () => {
    const history = ten({ steps: [{ scale: { to: 10, within: '8s' } }] });
    history.at(7500).counters(10, 10, 7).at(8001);
    expect(history.state()).to.equal('missed');
    expect(reported(history.finish()).steps[0]).to.include({
      status: 'failed',
      convergedMs: null,
      reason: 'not within 8.0s: net/processed=7',
    });
  });
});
