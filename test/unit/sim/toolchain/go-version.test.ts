import { expect } from 'chai';
import { isGoAtLeast } from '../../../../src/sim/toolchain/go-version.ts';

describe('isGoAtLeast', () => {
  for (const version of ['go1.26.0', 'go1.26', 'go1.26.8', 'go1.27rc1', 'go2.0', 'devel go1.28-0f1e2d3'])
    it(`takes ${version} for 1.26.0`, () => {
      expect(isGoAtLeast(version, '1.26.0')).to.equal(true);
    });

  for (const version of ['go1.25.9', 'go1.26rc1', 'go1.9', '', 'gccgo'])
    it(`refuses "${version}" for 1.26.0`, () => {
      expect(isGoAtLeast(version, '1.26.0')).to.equal(false);
    });
});
