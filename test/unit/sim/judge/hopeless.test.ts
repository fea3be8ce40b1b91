import { expect } from 'chai';
import { runMs } from '../../../../src/sim/base/units.ts';
import { hopelessThresholds } from '../../../../src/sim/judge/hopeless.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { metricNamesOf } from '../../../helpers/judged.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';

/** Five nodes in creation; the given number has been served, each 100 ms after the one before. */
function underWay(that: string, served: number): HistoryBuilder {
  const expected = [{ that, grace: '1s' }];
  const history = HistoryBuilder.of(
    scenarioOf({ steps: [{ scale: { to: 5, within: '60s' } }], expect: expected }),
  );
  history.begin('scale-5').act();
  for (let i = 1; i <= 5; i++) history.node(i);
  for (let i = 1; i <= served; i++) history.at(i * 100).serve(i);
  return history;
}

const hopeless = (history: HistoryBuilder, now: number): number =>
  hopelessThresholds(history.result(), metricNamesOf(history), runMs(now)).length;

describe('a threshold that may end the run', () => {
  const cases: readonly (readonly [string, number, number, boolean])[] = [
    ['all(cidr) < 1s', 4, 900, false],
    ['all(cidr) < 1s', 4, 1100, true],
    ['all(cidr) < 1s', 5, 1100, false],
    ['all(cidr) < 300ms', 5, 600, true], // the last one came, but too late
    ['max(cidr) <= 1s', 3, 1100, true],
    ['p80(cidr) < 1s', 4, 1100, false],
    ['p80(cidr) < 1s', 3, 1100, true],
    ['min(cidr) < 1s', 1, 1100, false],
    ['min(cidr) < 1s', 0, 1100, true],
    ['max(cidr) > 1s', 0, 5000, false], // no upper bound
    ['count(cidr) < 1', 5, 5000, false], // not decided before the end
    ['rate(cidr) < 1', 5, 5000, false],
  ];
  for (const [that, served, now, isLost] of cases)
    it(`${isLost ? 'is lost' : 'may still be kept'}: ${that}, ${served} of 5 served, after ${now} ms`, () => {
      expect(hopeless(underWay(that, served), now)).to.equal(isLost ? 1 : 0);
    });

  it('is lost when a step that has ended broke it', () => {
    const history = underWay('count(cidr) < 5', 5).at(20_000).finish();
    expect(hopeless(history, 20_000)).to.equal(1);
  });

  it('is not looked at when it only decides the verdict', () => {
    const history = HistoryBuilder.of(
      scenarioOf({ steps: [{ scale: { to: 5 } }], expect: ['all(cidr) < 1s'] }),
    );
    history.begin('scale-5').act().node(1);
    expect(hopeless(history, 5000)).to.equal(0);
  });
});
