import { expect } from 'chai';
import { SimError } from '../../../../src/sim/base/errors.ts';
import { cacheOf } from '../../../../src/sim/toolchain/cache.ts';

describe('the cache', () => {
  it('is below XDG_CACHE_HOME', () => {
    const cache = cacheOf({ env: { XDG_CACHE_HOME: '/xdg', HOME: '/home/me' } }, 'abc');
    expect(cache.root).to.equal('/xdg/sim/toolchain/abc');
    expect(cache.directories.build).to.equal('/xdg/sim/toolchain/abc/build');
  });

  it('is below ~/.cache when XDG_CACHE_HOME is not set or, against its specification, relative', () => {
    for (const env of [{ HOME: '/home/me' }, { XDG_CACHE_HOME: 'cache', HOME: '/home/me' }])
      expect(cacheOf({ env }, 'abc').root).to.equal('/home/me/.cache/sim/toolchain/abc');
  });

  it('is not made up when there is no home', () => {
    expect(() => cacheOf({ env: {} }, 'abc')).to.throw(SimError, 'HOME is not set');
  });
});
