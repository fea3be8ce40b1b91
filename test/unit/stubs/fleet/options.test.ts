import { expect } from 'chai';
import { parseOptions } from '../../../../src/stubs/fleet/options.ts';

describe('the arguments of the fleet', () => {
  it('are a socket, a port and a kubeconfig', () => {
    expect(parseOptions(['--socket', '/s', '--port', '11000', '--kubeconfig', '/k'])).to.deep.equal(
      { socket: '/s', port: 11_000, kubeconfig: '/k' },
    );
    expect(parseOptions(['--socket=/s', '--port=1']).kubeconfig).to.equal(undefined);
  });

  for (const [args, problem] of [
    [[], /--socket is missing/],
    [['--socket', '/s'], /--port is missing/],
    [['--socket', '/s', '--port', '0'], /--port 0 is no port/],
    [['--socket', '/s', '--port', '65536'], /--port 65536 is no port/],
    [['--socket', '/s', '--port', '11e3'], /--port 11e3 is no port/],
    [['--sokket', '/s'], /--sokket/],
    [['extra'], /extra/],
  ] as const)
    it(`are refused: ${args.join(' ') || 'none at all'}`, () => {
      expect(() => parseOptions(args)).to.throw(problem);
    });
});
