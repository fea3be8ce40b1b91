import { expect } from 'chai';
import { runMs } from '../../../../src/sim/base/units.ts';
import { LiveView, plainLine } from '../../../../src/sim/run/live-view.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { rows, tables, twoNodes } from '../../../helpers/two-nodes.ts';

const A = { node: 'sim-1', cidr: '10.0.0.0/24' };
const B = { node: 'sim-2', cidr: '10.0.1.0/24' };

const viewOf = (history: HistoryBuilder, view = new LiveView(history.planned.plan)) =>
  view.lines(history.fold.currentStep, runMs(history.now));

describe('the live view', () => {
  it('names the step, its place, its age and its limit', () => {
    expect(viewOf(twoNodes().at(2500))[0]).to.equal('step 1 of 1: scale-2, 2.5s of 30.0s');
  });

  it('shows for each milestone how many nodes hold it and which do not', () => {
    const history = rows(tables().at(300), { a: A });
    expect(viewOf(history).slice(1)).to.deep.equal([
      '  block      ████████████············ 1/2  0/s  waiting: sim-2',
      '  full       ████████████············ 1/2  0/s  waiting: sim-2',
    ]);
  });

  it('says how many nodes a second have come to hold it of late', () => {
    const history = tables();
    const view = new LiveView(history.planned.plan);
    viewOf(history.at(1000), view);
    expect(viewOf(rows(history.at(2000), { a: A }), view)[1]).to.include(' 1/2  1/s ');
    expect(viewOf(history.at(7000), view)[1]).to.include(' 1/2  0/s ');
  });

  it('shows the counters of each network', () => {
    const operator = { profile: 'tables', counts: ['total', 'processed'] };
    const history = tables({ operator }).at(300);
    history.object('tables', { name: 't' }, { fields: { network: 'net', counters: { total: 2 } } });
    expect(viewOf(history)).to.include('  net: total 2, processed 0');
  });

  it('says when everything holds and only time must pass', () => {
    const history = rows(tables().at(300), { a: A, b: B });
    expect(viewOf(history)).to.deep.equal([
      'step 1 of 1: scale-2, 300ms of 30.0s',
      '  block      ████████████████████████ 2/2',
      '  full       ████████████████████████ 2/2',
      '  settling, 2.0s left',
    ]);
  });

  it('shows nothing between steps', () => {
    const history = rows(tables().at(300), { a: A, b: B }).at(2400).finish();
    expect(viewOf(history)).to.deep.equal([]);
  });
});

describe('a progress line of a log', () => {
  it('says the same in one line', () => {
    const history = rows(tables().at(300), { a: A });
    expect(plainLine(history.fold.currentStep)).to.equal('scale-2: block 1/2, full 1/2');
    rows(history, { a: A, b: B });
    expect(plainLine(history.fold.currentStep)).to.equal('scale-2: block 2/2, full 2/2, settling');
  });

  it('is left out between steps', () => {
    expect(plainLine(undefined)).to.equal(undefined);
  });
});
