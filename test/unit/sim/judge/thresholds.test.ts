import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { judgeThresholds } from '../../../../src/sim/judge/thresholds.ts';
import type { ThresholdReport } from '../../../../src/sim/model/run-report.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { metricNamesOf } from '../../../helpers/judged.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';
import { twoServed } from '../../../helpers/two-nodes.ts';

const judgeAll = (history: HistoryBuilder): readonly ThresholdReport[] =>
  judgeThresholds(history.result(), metricNamesOf(history));

/** Five nodes, four of them served after 100, 200, 300 and 400 ms. */
function fiveNodes(expr: string, served = 4): HistoryBuilder {
  const history = HistoryBuilder.of(
    scenarioOf({ steps: [{ scale: { to: 5, within: '1s' } }], expect: [expr] }),
  );
  history.begin('scale-5').act();
  for (let i = 1; i <= 5; i++) history.node(i);
  for (let i = 1; i <= served; i++) history.at(i * 100).serve(i);
  return history.at(4000).finish();
}

describe('a threshold on times', () => {
  const values: readonly (readonly [string, number, number | null])[] = [
    ['min', 4, 100],
    ['p20', 4, 100],
    ['p50', 4, 300],
    ['p80', 4, 400],
    ['p81', 4, null],
    ['p99', 5, 500],
    ['max', 4, null],
    ['max', 5, 500],
    ['all', 4, null],
    ['all', 5, 500],
    ['count', 4, 4],
    ['count', 0, 0],
    ['rate', 4, 10],
    ['rate', 0, null],
    ['min', 0, null],
  ];
  for (const [stat, served, value] of values)
    it(`finds that ${stat} is ${value ?? 'not known'} with ${served} of 5 nodes served`, () => {
      const limit = stat === 'count' || stat === 'rate' ? '1000' : '1s';
      const [report] = judgeAll(fiveNodes(`${stat}(cidr) < ${limit}`, served));
      expect(report).to.include({ value, status: value === null ? 'broken' : 'held' });
    });

  it('says why a value is not known', () => {
    expect(judgeAll(fiveNodes('max(cidr) < 5s'))[0]?.reason).to.match(
      /^no samples: the step is failed \(not within 1\.0s: cidr holds for 4 of 5 nodes/,
    );
  });

  const operators: readonly (readonly [string, boolean])[] = [
    ['< 300ms', false],
    ['< 301ms', true],
    ['<= 299ms', false],
    ['<= 300ms', true],
    ['> 300ms', false],
    ['> 299ms', true],
    ['>= 301ms', false],
    ['>= 300ms', true],
    ['== 300ms', true],
    ['== 299ms', false],
    ['< 0.3s', false],
    ['< 5m', true],
  ];
  for (const [limit, isHeld] of operators)
    it(`${isHeld ? 'holds' : 'is broken'} when 300 ms must be ${limit}`, () => {
      const [report] = judgeAll(fiveNodes(`p50(cidr) ${limit}`));
      expect(report).to.include({ value: 300, status: isHeld ? 'held' : 'broken', reason: null });
    });
});

describe('a time between two moments with fractions', () => {
  it('has no more digits than these, and equals what it looks like', () => {
    const history = HistoryBuilder.of(
      scenarioOf({ steps: [{ scale: { to: 1 } }], expect: ['all(cidr) == 0.2ms'] }),
    );
    history.begin('scale-1').at(0.1).act().node(1).at(0.3).serve(1).at(4000).finish();
    expect(judgeAll(history)[0]).to.include({ value: 0.2, status: 'held' });
  });
});

describe('the steps that a threshold covers', () => {
  const steps: JsonObject[] = [
    { scale: { to: 2 } },
    { hold: { for: '1s' } },
    { scale: { to: 3 } },
    { scale: { to: 0 } },
  ];
  const run = (expr: string): HistoryBuilder =>
    twoServed({ steps, expect: [expr] })
      .at(3000)
      .begin('hold')
      .at(4000)
      .act()
      .finish()
      .at(5000)
      .begin('scale-3')
      .act()
      .node(3)
      .at(5700)
      .serve(3)
      .at(8000)
      .finish()
      .skip('scale-0', 'halted');
  const covered = (expr: string) => judgeAll(run(expr)).map(({ step, value }) => [step, value]);

  it('are those that have the metric, when it names none', () => {
    expect(covered('all(cidr) < 5s')).to.deep.equal([
      ['scale-2', 400],
      ['scale-3', 700],
    ]);
  });

  it('are all steps for what is counted', () => {
    expect(covered('max(controller.rss) < 1Gi').map(([step]) => step)).to.deep.equal([
      'scale-2',
      'hold',
      'scale-3',
      'scale-0',
    ]);
  });

  it('is the one that it names', () => {
    expect(covered('step(scale-3).all(cidr) < 5s')).to.deep.equal([['scale-3', 700]]);
  });

  it('fail when they were skipped, even for a count that nothing would satisfy', () => {
    const [report] = judgeAll(run('step(scale-0).count(gone) >= 0'));
    expect(report).to.deep.include({
      status: 'broken',
      value: null,
      reason: 'no samples: the step is skipped (halted)',
    });
  });

  it('fail without a sample, although they have converged', () => {
    expect(judgeAll(twoServed({ expect: ['max(controller.cpu) < 1'] }))[0]).to.include({
      status: 'broken',
      value: null,
      reason: 'no samples: nothing was measured',
    });
  });
});
