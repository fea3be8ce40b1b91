import { expect } from 'chai';
import { formatPath } from '../../../../src/sim/base/value-path.ts';

describe('formatPath', () => {
  it('says keys with dots and places in brackets', () => {
    expect(formatPath(['steps', 2, 'scale', 'to'])).to.equal('steps[2].scale.to');
    expect(formatPath([0, 'name'])).to.equal('[0].name');
    expect(formatPath([])).to.equal('');
  });
});
