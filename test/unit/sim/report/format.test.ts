import { expect } from 'chai';
import type { RunReport } from '../../../../src/sim/model/run-report.ts';
import {
  duration,
  printable,
  subject,
  table,
  throttledLines,
} from '../../../../src/sim/report/format.ts';
import { reportOf } from '../../../../src/sim/run/judge-run.ts';
import { twoServed } from '../../../helpers/two-nodes.ts';

describe('subject', () => {
  const history = twoServed();
  const report = reportOf(history.result(), history.planned.profile);
  const under = (controller: Partial<RunReport['controller']> | null): string =>
    subject({
      ...report,
      runtime: { name: 'kind', preset: null },
      versions: {},
      controller: report.controller && controller && { ...report.controller, ...controller },
    });

  const rows: readonly (readonly [string, Partial<RunReport['controller']> | null, string])[] = [
    [
      'the reference controller first of all',
      { kind: 'reference', reference: true, command: ['node', 'controller.js'] },
      "the reference controller that comes with sim (a stand-in, not a real operator's)",
    ],
    ["the cluster's own", { kind: 'cluster' }, "the cluster's own controller-manager"],
    [
      'a command',
      { kind: 'command', command: ['./manager', '--leader-elect'] },
      './manager --leader-elect',
    ],
    [
      'both limits',
      { kind: 'cluster', limits: { cpu: '100m', memory: '500Mi' } },
      "the cluster's own controller-manager, limited to cpu 100m and memory 500Mi",
    ],
    [
      'one limit',
      { kind: 'cluster', limits: { cpu: null, memory: '500Mi' } },
      "the cluster's own controller-manager, limited to memory 500Mi",
    ],
    ['an image without a command', { kind: 'image', command: null }, 'image'],
    ['that there was none', null, 'no controller (the run ended before there was one)'],
  ];
  for (const [title, controller, text] of rows)
    it(`names ${title}`, () => {
      expect(under(controller)).to.equal(`controller under test: ${text}; kind`);
    });

  it('names the runtime with its preset, and the version of Kubernetes', () => {
    expect(subject(report)).to.match(/; kwokctl \(realistic\), Kubernetes v1\.36\.1$/);
  });
});

describe('throttledLines', () => {
  it('has one for each component whose CPU time was limited', () => {
    const throttled = { periods: 1, throttledPeriods: 0, throttledMs: 0 };
    const more = { periods: 40, throttledPeriods: 12, throttledMs: 1234 };
    expect(
      throttledLines({
        sim: { cpuMs: 1, maxRssBytes: 1, throttled: null },
        quiet: { cpuMs: 1, maxRssBytes: 1, throttled },
        controller: { cpuMs: 1, maxRssBytes: 1, throttled: more },
      }),
    ).to.deep.equal([
      'quiet: throttled in 0 of 1 period of 100 ms, for 0ms in all',
      'controller: throttled in 12 of 40 periods of 100 ms, for 1.2s in all',
    ]);
  });
});

describe('duration', () => {
  it('is a dash where it is not known', () => {
    expect(duration(null)).to.equal('–');
    expect(duration(0)).to.equal('0ms');
  });
});

describe('printable', () => {
  it('shows that there are signs which cannot be seen, and does nothing else', () => {
    expect(printable('a\u001b[2Jb\r\nc\u202ed')).to.equal('a\uFFFD[2Jb\uFFFD\uFFFDc\uFFFDd');
    expect(printable('  ✗ node – …')).to.equal('  ✗ node – …');
  });
});

describe('table', () => {
  it('aligns its columns: names to the left, figures to the right', () => {
    expect(
      table([
        ['name', 'n'],
        ['a', '100'],
        ['longer', '7'],
      ]),
    ).to.deep.equal(['name      n', 'a       100', 'longer    7']);
  });
});
