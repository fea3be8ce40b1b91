import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { terminalSummary } from '../../../../src/sim/report/terminal.ts';
import { reportOf } from '../../../../src/sim/run/judge-run.ts';
import { expectGolden } from '../../../helpers/golden.ts';
import { happyRun } from '../../../helpers/happy-run.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';
import { rows, tables, twoNodes, twoServed } from '../../../helpers/two-nodes.ts';

const summaryOf = (history: HistoryBuilder): readonly string[] =>
  terminalSummary(reportOf(history.result(), history.planned.profile), { report: 'runs/small' });

const SIX: JsonObject[] = [
  { scale: { to: 10 } },
  { scale: { to: 50 } },
  { restart: { what: 'controller' } },
  { scale: { to: 100 } },
  { hold: { for: '10s' } },
  { scale: { to: 0 } },
];

describe('the summary on a terminal', () => {
  describe('of a run of six steps', () => {
    const lines = summaryOf(
      happyRun(
        scenarioOf({
          name: 'node-ipam-100-nodes',
          steps: SIX,
          expect: ['all(cidr) < 60s', 'all(gone) < 60s'],
        }),
      ),
    );

    it('looks as it did before', () => {
      expectGolden('reports/six-steps.txt', `${lines.join('\n')}\n`);
    });

    it('fits a screen of 100 columns and 30 lines', () => {
      expect(Math.max(...lines.map((line) => line.length))).to.be.at.most(100);
      expect(lines.length).to.be.at.most(30);
    });
  });

  describe('of a run in which much is wrong', () => {
    const bad = (): HistoryBuilder => {
      const history = twoServed({
        steps: [{ scale: { to: 2 } }, ...SIX.slice(1)],
        expect: ['all(cidr) < 1ms', 'all(gone) < 1ms'],
      });
      history
        .node(1, { podCIDRs: ['10.99.0.0/24'] })
        .serve(2, '10.99.0.0/24')
        .at(5000);
      return history.begin('scale-50').act().at(130_000).finish().end();
    };

    it('still fits 30 lines, and says how many reasons it leaves out', () => {
      const lines = summaryOf(bad());
      expect(lines.length).to.be.at.most(30);
      expect(lines.filter((line) => line.startsWith('  ✗'))).to.have.length(8);
      const reasons = reportOf(bad().result(), bad().planned.profile).reasons.length;
      expect(lines.at(-2)).to.equal(`  … and ${reasons - 8} more in report.json`);
    });

    it('names some of the nodes that are missing', () => {
      expect(summaryOf(bad())).to.include(
        'scale-50: no cidr for sim-3, sim-4, sim-5, sim-6, sim-7 and 43 more',
      );
    });
  });

  it('tells what was under test before any figure', () => {
    expect(summaryOf(twoServed().end()).slice(1, 3)).to.deep.equal([
      'small: PASS after 2.4s',
      "controller under test: the cluster's own controller-manager; kwokctl (realistic), Kubernetes v1.36.1",
    ]);
  });

  it('says what is not known with a dash, and never with a zero', () => {
    const row = summaryOf(twoNodes().end())[5];
    expect(row?.split(/ {2,}/)).to.deep.equal(['scale-2', '2', 'failed', '–', '–', '–']);
  });

  it('lets no name from a cluster drive the terminal', () => {
    const fields = { run: null, internalIP: null, podCIDRs: ['10.99.0.0/24'] };
    const history = twoServed().object(
      'nodes',
      { name: 'evil\u001b[2J\r' },
      { fields: { ...fields, ready: 'True', taints: [] } },
    );
    const text = summaryOf(history.end()).join('');
    expect(text).to.contain('evil\uFFFD[2J\uFFFD');
    expect(text).not.to.match(/\p{Cc}/u);
  });

  it('gives exactly eight reasons without saying that there are more', () => {
    const report = reportOf(twoServed().end().result(), twoServed().planned.profile);
    const reasons = Array.from({ length: 8 }, (_, i) => `reason ${i}`);
    const lines = terminalSummary({ ...report, reasons }, { report: 'runs/small' });
    expect(lines.at(-2)).to.equal('  ✗ reason 7');
  });

  it('names no report where none was written, only the recording that was judged', () => {
    const report = reportOf(twoServed().end().result(), twoServed().planned.profile);
    const reasons = Array.from({ length: 9 }, (_, i) => `reason ${i}`);
    const lines = terminalSummary({ ...report, reasons }, { judged: 'runs/small/history.jsonl' });
    expect(lines.slice(-2)).to.deep.equal([
      '  … and 1 more with --json',
      'judged: runs/small/history.jsonl',
    ]);
  });

  it('has a column for each milestone, with the time until the last node, where all nodes have it', () => {
    const history = tables({ operator: { profile: 'tables', interfaces: 2 } }).at(300);
    const table = {
      a: { node: 'sim-1', cidr: '10.0.0.0/24' },
      b: { node: 'sim-1', interface: 'eth1', cidr: '10.0.1.0/24' },
      c: { node: 'sim-2', cidr: '10.0.2.0/24' },
    };
    const lines = summaryOf(rows(history, table).at(40_000).finish().end());
    expect(lines[4]).to.match(/ block +full +/);
    expect(lines[5]).to.match(/ 300ms +– +/);
  });

  it('does not call thresholds broken that a run which was cut short never came to', () => {
    const report = reportOf(twoServed().end().result(), twoServed().planned.profile);
    const lines = terminalSummary({ ...report, verdict: 'interrupted' }, { report: 'runs/small' });
    expect(lines.join('\n')).to.match(/; thresholds not judged$/m);
  });

  describe('counts thresholds as the scenario has them', () => {
    const lineWith = (...expected: readonly string[]): string =>
      summaryOf(happyRun(scenarioOf({ steps: SIX, expect: [...expected] }))).find((line) =>
        line.startsWith('invariants:'),
      ) ?? '';

    it('and the checks that were made of them', () => {
      expect(lineWith('all(cidr) < 60s', 'sum(api.requests) < 100')).to.match(
        /; 2 thresholds held \(9 checks\)$/,
      );
      expect(lineWith('step(scale-10).all(cidr) < 60s')).to.match(
        /; 1 threshold held \(1 check\)$/,
      );
    });

    it('and says how many are broken, by how many of the checks', () => {
      expect(lineWith('all(cidr) < 2s', 'sum(api.requests) < 100')).to.match(
        /; 1 of 2 thresholds broken \(2 of 9 checks\)$/,
      );
    });
  });

  it('counts a single pod that kwok had overlooked as one', () => {
    const report = reportOf(twoServed().canary().end().result(), twoServed().planned.profile);
    const selfAudit = { ...report.selfAudit, nudgedPods: 1 };
    const lines = terminalSummary({ ...report, selfAudit }, { report: 'runs/small' });
    expect(lines.find((line) => line.startsWith('self-audit'))).to.match(
      /; kwok had overlooked 1 pod$/,
    );
  });

  it('names no place for a report that could not be written', () => {
    const history = twoServed().end();
    const report = reportOf(history.result(), history.planned.profile);
    const text = terminalSummary(report, undefined).join('\n');
    expect(text).not.to.match(/^(report|judged): /m);
  });

  it('counts the checks', () => {
    expect(summaryOf(twoServed().node(1, { podCIDRs: [] }).at(9000).end()).at(-3)).to.match(
      /^invariants: 8 held, 1 broken, 6 not applicable; no thresholds$/,
    );
    expect(summaryOf(twoServed().end()).at(-2)).to.match(
      /^invariants: \d+ held, 0 broken, \d+ not applicable; no thresholds$/,
    );
  });
});
