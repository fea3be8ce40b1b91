import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { markdownSummary } from '../../../../src/sim/report/markdown.ts';
import { reportOf } from '../../../../src/sim/run/judge-run.ts';
import { expectGolden } from '../../../helpers/golden.ts';
import { happyRun } from '../../../helpers/happy-run.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';
import { twoNodes, twoServed } from '../../../helpers/two-nodes.ts';

const summaryOf = (history: HistoryBuilder): string =>
  markdownSummary(reportOf(history.result(), history.planned.profile));

/** The cells of every table row: a bar that is not escaped parts two of them. */
const cellCounts = (markdown: string, heading: string): readonly number[] =>
  markdown
    .slice(markdown.indexOf(heading))
    .split('\n')
    .slice(1)
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split(/(?<!\\)\|/).length - 2);

describe('summary.md', () => {
  const steps: JsonObject[] = [
    { scale: { to: 2 } },
    { restart: { what: 'controller' } },
    { scale: { to: 0 } },
  ];

  it('looks as it did before', () => {
    const history = happyRun(scenarioOf({ steps, expect: ['all(cidr) < 5s'] }));
    expectGolden('reports/small.md', summaryOf(history));
  });

  it('has a line for every step in which the controller told its own metrics', () => {
    const history = HistoryBuilder.of(scenarioOf({ steps })).ready();
    const says = (values: Readonly<Record<string, number>>): HistoryBuilder =>
      history.record({ kind: 'controller-metrics', values: { ...values } });
    const reconciles = 'controller_runtime_reconcile_total{controller="c",result="success"}';
    says({ [reconciles]: 10, 'workqueue_depth{name="q"}': 0 });
    history.begin('scale-2').finish();
    says({ [reconciles]: 31, 'workqueue_depth{name="q"}': 5 });
    const summary = summaryOf(history.end());
    expect(summary).to.contain('| scale-2 | 5 | 21 | – | – | – |');
    const heading = "## The controller's own metrics";
    expect(summary.slice(summary.indexOf(heading)).split('\n##')[0]).not.to.contain('scale-0');
  });

  describe('with names from a cluster that would be markup', () => {
    const NAME = 'a|b`c`<script>alert(1)</script>[x](http://y)*_#\r\n| z |';
    const withName = (): HistoryBuilder =>
      twoServed()
        .object(
          'nodes',
          { name: NAME },
          {
            fields: {
              run: null,
              internalIP: null,
              podCIDRs: ['10.99.0.0/24'],
              ready: 'True',
              taints: [],
            },
          },
        )
        .end();

    it('says them with every sign escaped, on one line', () => {
      const reason = summaryOf(withName())
        .split('\n')
        .find((line) => line.startsWith('- INV003'));
      expect(reason).to.contain(
        'a\\|b\\`c\\`\\<script\\>alert(1)\\</script\\>\\[x\\](http://y)\\*\\_\\# \\| z \\|',
      );
    });

    it('has no sign of theirs that is not escaped', () => {
      const markdown = summaryOf(withName());
      expect(markdown).not.to.match(/(?<!\\)<script/);
      expect(markdown).not.to.contain('\r');
      expect(markdown.split('\n').filter((line) => line.startsWith('| z'))).to.be.empty;
    });
  });

  it('keeps its tables whole when a threshold has a bar in a label', () => {
    const expr = 'sum(api.requests{user=a|`b`}) < 5';
    const markdown = summaryOf(twoServed({ expect: [expr] }).end());
    expect(new Set(cellCounts(markdown, '## Thresholds').slice(0, 3))).to.deep.equal(new Set([4]));
  });

  it('has as many cells in every row of a step as in the head', () => {
    const markdown = summaryOf(happyRun(scenarioOf({ steps })));
    const table = markdown.slice(0, markdown.indexOf('## Restarts and faults'));
    expect(new Set(cellCounts(table, '## Steps'))).to.deep.equal(new Set([11]));
  });

  it('names the nodes that are missing, and says why the run did not pass', () => {
    const markdown = summaryOf(twoNodes().serve(1).at(120_000).finish().end());
    expect(markdown).to.contain('# small: INVALID');
    expect(markdown).to.match(/\| scale-2 \| 2 \| invalid \| – \| cidr \| 2 \|.*\| sim-2 \|/);
    expect(markdown).to.contain('- scale-2: no canary was seen');
  });

  it('leaves out what there is nothing to say of', () => {
    const markdown = summaryOf(twoServed().end());
    for (const heading of ['## Why', '## Restarts', '## Addresses', '## Cost', '## Thresholds'])
      expect(markdown).not.to.contain(heading);
  });

  it('has a row for a step without samples, and for a threshold without a value', () => {
    const hold = [{ scale: { to: 2 } }, { hold: { for: '1s' } }];
    expect(summaryOf(happyRun(scenarioOf({ steps: hold })))).to.contain(
      '| hold | 2 | converged | 0ms | – | – | – | – | – | – | |',
    );
    expect(summaryOf(twoServed({ expect: ['max(controller.cpu) < 1'] }).end())).to.contain(
      '| max(controller.cpu) \\< 1 | scale-2 | broken | no samples: nothing was measured |',
    );
  });

  it('writes values in the unit of their metric', () => {
    const history = twoNodes({
      expect: [
        'all(cidr) < 60s',
        'all(cidr) < 1.5s',
        'max(controller.rss) < 500Mi',
        'max(controller.cpu) < 1',
        'count(cidr) == 2',
      ],
    });
    const use = (cpuMs: number): HistoryBuilder =>
      history.record({
        kind: 'usage',
        samples: [{ component: 'controller', pid: 7, cpuMs, rssBytes: 95_420_416 }],
      });
    history.at(1100);
    use(100).at(2100);
    use(242.553);
    history.at(2531.5).serve(1).serve(2).at(4531.5).finish().end();
    const markdown = summaryOf(history);
    const rows = markdown
      .slice(markdown.indexOf('## Thresholds'), markdown.indexOf('## Self-audit'))
      .split('\n')
      .filter((line) => line.includes('scale-2'));
    expect(rows).to.deep.equal([
      '| all(cidr) \\< 60s | scale-2 | held | 2.5s |',
      '| all(cidr) \\< 1.5s | scale-2 | broken | 2.5s |',
      '| max(controller.rss) \\< 500Mi | scale-2 | held | 91.0Mi |',
      '| max(controller.cpu) \\< 1 | scale-2 | held | 0.14 |',
      '| count(cidr) == 2 | scale-2 | held | 2 |',
    ]);
    expect(markdown).to.contain('- threshold all(cidr) \\< 1.5s in scale-2: got 2.5s, limit 1.5s');
  });

  it('has for each step the error of its observation, and its limit', () => {
    const history = twoNodes().canary({ observationMs: 900 }).serve(1).serve(2).at(2400).finish();
    const markdown = summaryOf(history.end());
    expect(markdown).to.contain(
      '| scale-2 | 1 | 900ms | 250ms | **no** | observation lagged by 900ms, more than 250ms |',
    );
    expect(new Set(cellCounts(markdown, '## Self-audit').slice(0, 3))).to.deep.equal(new Set([6]));
  });

  it('counts a single pod and gap as one', () => {
    const report = reportOf(twoServed().end().result(), twoServed().planned.profile);
    const selfAudit = { ...report.selfAudit, gaps: 1, resumes: 1, nudgedPods: 1 };
    expect(markdownSummary({ ...report, selfAudit })).to.contain(
      '; 1 gap, 1 resumed watch, 1 pod that kwok had overlooked\n',
    );
  });

  it('gives at most twenty reasons', () => {
    const nodes = Array.from({ length: 30 }, (_, i) => ({ scale: { to: i + 1 } }));
    const markdown = summaryOf(twoServed({ steps: nodes }).end());
    const why = markdown.slice(markdown.indexOf('## Why'), markdown.indexOf('## Steps'));
    expect(why.split('\n').filter((line) => line.startsWith('- '))).to.have.length(20);
  });
});
