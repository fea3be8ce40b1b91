import { expect } from 'chai';
import { parseGoMod } from '../../../../src/sim/toolchain/go-mod.ts';

describe('parseGoMod', () => {
  it('reads the Go version and requirements, alone and in blocks', () => {
    const { goVersion, requires } = parseGoMod(`module example.com/m

go 1.26.0

tool (
	example.com/tool/cmd
)

require example.com/alone v1.2.3

require (
	example.com/first v0.1.0
	// example.com/commented v9.9.9
	example.com/second/v3 v3.6.16 // indirect
)

replace example.com/first => example.com/fork v0.2.0
`);
    expect(goVersion).to.equal('1.26.0');
    expect([...requires]).to.deep.equal([
      ['example.com/alone', 'v1.2.3'],
      ['example.com/first', 'v0.1.0'],
      ['example.com/second/v3', 'v3.6.16'],
    ]);
  });

  it('knows no Go version when there is no such line', () => {
    expect(parseGoMod('module example.com/m\n').goVersion).to.equal(undefined);
  });
});
