import { expect } from 'chai';
import type { Pins } from '../../../../src/sim/toolchain/pins.ts';
import { noWayLeft, reasonLines } from '../../../../src/sim/toolchain/refusal.ts';

const pins = { versions: { etcd: 'v3.6.16', kwok: 'v0.8.0' } } as Pins;

describe('reasonLines', () => {
  it('tells a shared reason once, in the order in which ways are tried', () => {
    expect(
      reasonLines([
        { program: 'etcd', way: 'build', reason: 'go failed', details: ['x.go:1: bad'] },
        { program: 'etcd', way: 'download', reason: 'answered 404' },
        { program: 'kwok', way: 'build', reason: 'go failed', details: ['x.go:1: bad'] },
      ]),
    ).to.deep.equal(['etcd: download: answered 404', 'etcd, kwok: build: go failed', '  x.go:1: bad']);
  });
});

describe('noWayLeft', () => {
  it('names the programs, every reason, and each remedy once', () => {
    const error = noWayLeft(pins, [
      { program: 'etcd', way: 'build', reason: 'no go', remedy: 'install Go' },
      { program: 'kwok', way: 'build', reason: 'no go', remedy: 'install Go' },
    ]);
    expect(error.message).to.equal('there is no way to get etcd v3.6.16, kwok v0.8.0');
    expect(error.details).to.deep.equal([
      'etcd, kwok: build: no go',
      'what you can do:',
      '  install Go',
      '  or name programs of your own: SIM_ETCD=/path/to/etcd SIM_KWOK=/path/to/kwok',
      '  or set SIM_TOOLCHAIN=system to take every program from PATH; their versions are then yours to choose',
    ]);
  });
});
