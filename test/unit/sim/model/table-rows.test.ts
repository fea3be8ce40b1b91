import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { addRow } from '../../../../src/sim/model/table-rows.ts';

describe('addRow', () => {
  it('counts up rows that mean the same, in their order, so that none hides another', () => {
    const rows: Record<string, JsonObject> = {};
    for (const n of [1, 2, 3]) addRow(rows, 'a', { n });
    addRow(rows, 'b', { n: 4 });
    expect(rows).to.deep.equal({ a: { n: 1 }, 'a 2': { n: 2 }, 'a 3': { n: 3 }, b: { n: 4 } });
  });
});
