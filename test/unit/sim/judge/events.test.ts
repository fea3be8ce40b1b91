import { expect } from 'chai';
import { allocationReports } from '../../../../src/sim/judge/allocations.ts';
import { judgeThresholds } from '../../../../src/sim/judge/thresholds.ts';
import type { ObservationOf } from '../../../../src/sim/model/history.ts';
import { disturbedRun } from '../../../helpers/disturbed-run.ts';
import { metricNamesOf } from '../../../helpers/judged.ts';
import { type MultiNicHistory, multiNicServed } from '../../../helpers/multi-nic-history.ts';

type Allocation = ObservationOf<'allocation'>;

/** What a threshold finds: `STEP VALUE held`, a line for each step. */
const judged = (history: MultiNicHistory): readonly string[] =>
  judgeThresholds(history.result(), metricNamesOf(history)).map(
    ({ step, value, status }) => `${step} ${value ?? '–'} ${status}`,
  );
/** Five requests in a second, of which the given ones differ. */
function fiveRequests(expr: string, changes: Readonly<Record<number, Partial<Allocation>>> = {}) {
  const steps = [{ scale: { to: 2 } }, { allocate: {} }];
  const history = multiNicServed({ steps, expect: [expr] });
  history.at(3000).begin('allocate').beginAction();
  for (let pod = 1; pod <= 5; pod++) {
    history.at(3000 + 200 * pod);
    history.allocation(1, `sim-system/p-${pod}`, { latencyMs: 10 * pod, ...changes[pod] });
  }
  return history.endAction().at(5000).finish('ended');
}
const failed: Partial<Allocation> = {
  status: 'failed',
  granted: [],
  problem: 'refused',
  retries: 5,
};
const empty: Partial<Allocation> = { status: 'empty', granted: [], problem: 'no address' };
const partial: Partial<Allocation> = { status: 'partial', retries: 1, problem: 'one NIC' };

describe('a threshold on requests for addresses', () => {
  const rows: readonly (readonly [
    string,
    Readonly<Record<number, Partial<Allocation>>>,
    string,
  ])[] = [
    ['min(allocate) < 15ms', {}, '10 held'],
    ['p50(allocate) < 40ms', {}, '30 held'],
    ['p50(allocate) < 30ms', {}, '30 broken'],
    ['max(allocate) < 1s', {}, '50 held'],
    ['max(allocate) < 1s', { 2: failed }, '– broken'],
    ['max(allocate) < 1s', { 2: empty }, '– broken'],
    ['max(allocate) < 1s', { 2: partial }, '50 held'],
    ['p80(allocate) < 1s', { 2: failed }, '50 held'],
    ['p81(allocate) < 1s', { 2: failed }, '– broken'],
    ['count(allocate) == 4', { 2: failed }, '4 held'],
    ['rate(allocate) > 2', {}, '2.5 held'],
    ['sum(allocate.retries) == 6', { 1: failed, 2: partial }, '6 held'],
    ['sum(allocate.partial) == 0', { 2: partial }, '1 broken'],
    ['sum(allocate.failed) == 0', { 1: failed, 2: partial, 3: empty }, '2 broken'],
  ];
  for (const [expr, changes, result] of rows)
    it(`finds ${result} for ${expr} where ${Object.keys(changes).length} differ`, () => {
      expect(
        judged(fiveRequests(expr, changes)).filter((line) => line.startsWith('allocate')),
      ).to.deep.equal([`allocate ${result}`]);
    });

  it('is held only against steps that ask', () => {
    expect(judged(fiveRequests('max(allocate) < 1s'))).to.deep.equal(['allocate 50 held']);
  });

  it('finds sums of nothing in other steps', () => {
    expect(judged(fiveRequests('sum(allocate.failed) == 0', { 1: failed }))).to.deep.equal([
      'scale-2 0 held',
      'allocate 1 broken',
    ]);
  });

  it('takes what is given back by itself', () => {
    const back: Partial<Allocation> = { verb: 'deallocate', status: 'empty', granted: [] };
    const history = fiveRequests('count(allocate) == 3', { 1: back, 2: back });
    expect(judged(history)).to.deep.equal(['allocate 3 held']);
  });
});

describe('a threshold on the recovery', () => {
  const of = (expr: string) => judged(disturbedRun({ expect: [expr] }));

  it('is held against each step in which a restart or a fault ended', () => {
    expect(of('max(recovery) < 400ms')).to.deep.equal([
      'heal 500 broken',
      'restart-daemons 0 held',
    ]);
    expect(of('step(heal).count(recovery) == 1')).to.deep.equal(['heal 1 held']);
  });

  it('is not known where nothing was ever whole again', () => {
    const steps = [{ scale: { to: 2 } }, { restart: { what: 'kwok', probe: false, within: '5s' } }];
    const history = multiNicServed({ steps, expect: ['max(recovery) < 1m'] });
    history.at(3000).begin('restart-kwok').act().at(3500).counters(2, 2, 1).cidr();
    expect(judged(history.at(9000).finish())).to.deep.equal(['restart-kwok – broken']);
  });

  it('has no more digits than the times that it is between', () => {
    const steps = [{ scale: { to: 2 } }, { restart: { what: 'kwok', probe: false } }];
    const history = multiNicServed({ steps, expect: ['max(recovery) == 0.2ms'] });
    history.at(3000).begin('restart-kwok').at(3000.1).act().cidr();
    history.at(3000.3).served(2).at(6000).finish();
    expect(judged(history)).to.deep.equal(['restart-kwok 0.2 held']);
  });
});

describe('the report on requests', () => {
  const reports = (changes: Readonly<Record<number, Partial<Allocation>>>) => {
    const run = fiveRequests('max(allocate) < 1s', changes).result();
    return run.steps.map((step) => allocationReports(step, run));
  };

  it('counts what became of them, with times from when a pod was due', () => {
    expect(reports({ 1: failed, 2: partial, 3: empty })[1]).to.deep.equal([
      {
        verb: 'allocate',
        requests: 5,
        complete: 2,
        partial: 1,
        empty: 1,
        failed: 1,
        retries: 6,
        addresses: 6,
        p50Ms: 50,
        p90Ms: null,
        p99Ms: null,
        maxMs: null,
        perSecond: 5 / 0.81,
        problems: ['refused', 'one NIC', 'no address'],
      },
    ]);
  });

  it('has a row for each verb, and none for a step without any', () => {
    const [scale, allocate] = reports({ 5: { verb: 'deallocate', status: 'empty' } });
    expect(scale).to.be.empty;
    expect(allocate?.map(({ verb, requests, maxMs }) => [verb, requests, maxMs])).to.deep.equal([
      ['allocate', 4, 40],
      ['deallocate', 1, 50],
    ]);
  });

  it('says each problem once', () => {
    expect(reports({ 1: failed, 2: failed, 3: failed })[1]?.[0]?.problems).to.deep.equal([
      'refused',
    ]);
  });
});
