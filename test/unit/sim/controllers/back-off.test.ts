import { expect } from 'chai';
import { backOffMs } from '../../../../src/sim/controllers/back-off.ts';

describe('backOffMs', () => {
  it('doubles from a second up to half a minute', () => {
    const waits: number[] = [];
    for (let i = 0; i < 7; i++) waits.push(backOffMs(waits.at(-1), 100));
    expect(waits).to.deep.equal([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it('begins anew once the controller has run for a minute', () => {
    expect(backOffMs(16_000, 59_999)).to.equal(30_000);
    expect(backOffMs(16_000, 60_000)).to.equal(1000);
  });
});
