import { expect } from 'chai';
import { markdownSummary } from '../../../../src/sim/report/markdown.ts';
import { terminalSummary } from '../../../../src/sim/report/terminal.ts';
import { reportOf } from '../../../../src/sim/run/judge-run.ts';
import { disturbedRun } from '../../../helpers/disturbed-run.ts';
import { expectGolden } from '../../../helpers/golden.ts';
import { reread } from '../../../helpers/reread.ts';

const EXPECT = ['max(recovery) < 400ms', 'sum(allocate.partial) == 0', 'p50(allocate) < 1s'];

describe('the reports on a run with faults and allocations', () => {
  const history = disturbedRun({ expect: EXPECT });
  const report = reportOf(history.result(), history.planned.profile);

  it('look as they did before, in Markdown', () => {
    expectGolden('reports/disturbed.md', markdownSummary(report));
  });

  it('look as they did before, on a terminal', () => {
    const lines = terminalSummary(report, { report: 'runs/disturbed' });
    expectGolden('reports/disturbed.txt', `${lines.join('\n')}\n`);
  });

  it('are the same from the lines of the recording', () => {
    expect(reportOf(reread(history), history.planned.profile)).to.deep.equal(report);
  });

  it('have each restart and fault with its end, its recovery and those who got nowhere', () => {
    expect(report.disturbances).to.deep.equal([
      {
        what: 'hang',
        nodes: 'sim-2',
        beginMs: 8000,
        endMs: 9500,
        step: 'heal',
        recoveryMs: 500,
        stalls: [{ node: 'sim-2', ms: 800 }],
      },
      {
        what: 'restart of daemons',
        nodes: 'sim-1…sim-2',
        beginMs: 13_000,
        endMs: 13_500,
        step: 'restart-daemons',
        recoveryMs: 0,
        stalls: [],
      },
    ]);
  });

  it('name only eight of many disturbances on a terminal', () => {
    const disturbances = Array.from({ length: 11 }, () => report.disturbances[0]!);
    const lines = terminalSummary({ ...report, disturbances }, undefined);
    expect(lines.filter((line) => line.startsWith('hang'))).to.have.length(8);
    expect(lines).to.include('… and 3 more in report.json');
  });

  it('tell of faults that never ended, and of what was never whole again', () => {
    const [hang] = report.disturbances;
    const disturbances = [
      { ...hang!, endMs: null, recoveryMs: null, stalls: [] },
      { ...hang!, nodes: null, recoveryMs: null, stalls: [] },
    ];
    const lines = terminalSummary({ ...report, disturbances }, undefined);
    expect(lines)
      .to.include('hang on sim-2: never ended')
      .and.to.include('hang: never whole again');
    expect(markdownSummary({ ...report, disturbances })).to.contain('| hang | sim-2 | – | – | – |');
  });
});
