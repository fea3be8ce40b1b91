import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { realFiles } from '../../src/sim/host/files.ts';
import type { RunReport, StepReport } from '../../src/sim/model/run-report.ts';
import { reportOf } from '../../src/sim/run/judge-run.ts';
import { readRecording } from '../../src/sim/run/read-recording.ts';

const RECORDING = fileURLToPath(new URL('../recordings/counter-falls-back.jsonl', import.meta.url));

/**
 * Made by hand after what a real multi-nic controller does: `processed` reaches the number of nodes, falls back within
 * the settle time, and comes again.
 */
describe('the recording of a counter that falls back', () => {
  let report: RunReport;
  let step: StepReport;

  before(async () => {
    const { run, profile } = await readRecording({ files: realFiles }, RECORDING);
    report = reportOf(run, profile);
    step = report.steps[0] ?? expect.fail('there is no step');
  });

  it('converges when the counter is whole for good, not when it first was', () => {
    expect(step).to.include({ status: 'converged', convergedMs: 12_300, settleMs: 10_000 });
    expect(step.milestones['routes']).to.include({ count: 5, allMs: 4200 });
  });

  it('lists the fall with its time and size, and no other', () => {
    const { processed, total, available } = step.counters['net'] ?? {};
    expect(processed?.regressions).to.deep.equal([{ atMs: 8100, from: 5, to: 2 }]);
    expect([total?.regressions, available?.regressions]).to.deep.equal([[], []]);
  });

  it('shows the fall and the recovery in the curve', () => {
    expect(step.counters['net']?.['processed']?.curve.slice(-5)).to.deep.equal([
      [3400, 5],
      [8100, 2],
      [9500, 3],
      [10_900, 4],
      [12_300, 5],
    ]);
  });

  it('fails for the fall alone', () => {
    expect(report).to.deep.include({
      verdict: 'fail',
      exitCode: 1,
      reasons: ['threshold regressions(processed) == 0 in scale-5: got 1, limit 0'],
    });
    expect(report.thresholds.map(({ expr, status, value }) => [expr, status, value])).to.deep.equal(
      [
        ['regressions(processed) == 0', 'broken', 1],
        ['all(pools) < 30s', 'held', 3700],
      ],
    );
  });
});
