import { expect } from 'chai';
import { runMs } from '../../../../src/sim/base/units.ts';
import { Counters } from '../../../../src/sim/ledger/counters.ts';
import type { CounterRecord } from '../../../../src/sim/model/recorded-run.ts';

describe('Counters', () => {
  let counters: Counters;
  let atMs: number;

  beforeEach(() => {
    counters = new Counters(['a', 'b'], ['processed']);
    atMs = 0;
  });

  function report(value: number, { network = 'a', shrinking = false } = {}): void {
    atMs += 100;
    counters.update(
      [{ kind: 'counter', network, counter: 'processed', value }],
      { seq: atMs / 100, atMs: runMs(atMs) },
      shrinking,
    );
  }
  const record = (): CounterRecord | undefined => counters.takeRecords().get('a')?.get('processed');

  it('count a fall as a regression, with its time and size', () => {
    for (const value of [3, 7, 3, 10]) report(value);
    expect(record()).to.deep.include({ final: 10, regressions: [{ atMs: 300, from: 7, to: 3 }] });
  });

  it('count no fall while nodes are taken away', () => {
    report(10);
    report(5, { shrinking: true });
    expect(record()).to.deep.include({ final: 5, regressions: [] });
  });

  it('count every one of several falls', () => {
    for (const value of [3, 2, 1, 1, 5, 4]) report(value);
    expect(record()?.regressions.map(({ from, to }) => [from, to])).to.deep.equal([
      [3, 2],
      [2, 1],
      [5, 4],
    ]);
  });

  it('keep the networks apart', () => {
    report(5);
    report(3, { network: 'b' });
    const records = counters.takeRecords();
    expect(records.get('a')?.get('processed')).to.deep.include({ final: 5, regressions: [] });
    expect(records.get('b')?.get('processed')).to.deep.include({ final: 3, regressions: [] });
  });

  it('begin anew with every step, and remember the value', () => {
    report(5);
    report(3);
    counters.takeRecords();
    expect(record()).to.deep.include({ final: 3, regressions: [] });
    report(1);
    expect(record()?.regressions).to.have.length(1);
  });

  it('keep every change with its time, and none where the value stays', () => {
    for (const value of [3, 3, 7, 7, 3, 10]) report(value);
    expect(record()?.curve).to.deep.equal([
      [100, 3],
      [300, 7],
      [500, 3],
      [600, 10],
    ]);
  });

  it('begin the curve of a step with the value that they had before', () => {
    for (const value of [3, 7]) report(value);
    record();
    expect(record()?.curve).to.deep.equal([[200, 7]]);
    report(5);
    expect(record()?.curve).to.deep.equal([
      [200, 7],
      [300, 5],
    ]);
  });

  it('keep falls in the curve also while nodes are taken away', () => {
    report(10);
    report(5, { shrinking: true });
    expect(record()?.curve.map(([, value]) => value)).to.deep.equal([10, 5]);
  });

  it('name those that differ from the number of nodes, also those never heard of', () => {
    report(2);
    expect(counters.notEqualTo(2)).to.deep.equal(['b/processed=0']);
    expect(counters.notEqualTo(0)).to.deep.equal(['a/processed=2']);
  });

  it('name those that differ from what fits, and from the number of nodes', () => {
    const off = [1, 2, 3, 4, 5].map((value) => {
      report(value);
      report(value, { network: 'b' });
      return counters.notEqualTo(4, 2).length;
    });
    expect(off).to.deep.equal([2, 0, 0, 0, 2]);
  });

  it('pass over counters that need not equal the number of nodes', () => {
    expect(new Counters(['a'], []).notEqualTo(5)).to.be.empty;
  });
});
