import { expect } from 'chai';
import { HONEST_DAEMON } from '../../../../src/stubs/daemon/mutation.ts';
import { parseOptions } from '../../../../src/stubs/fleet/options.ts';

describe('the arguments of the fleet', () => {
  it('are a socket, a port and a kubeconfig', () => {
    const args = ['--socket', '/s', '--port', '11000', '--kubeconfig', '/k'];
    expect(parseOptions(args)).to.deep.include({ socket: '/s', port: 11_000, kubeconfig: '/k' });
    expect(parseOptions(['--socket=/s', '--port=1']).kubeconfig).to.equal(undefined);
  });

  it('are a mutant, too, of which the seed says where it is', () => {
    const nodes = ['sim-1', 'sim-2', 'sim-3', 'sim-4'];
    const broken = (...more: readonly string[]): readonly string[] => {
      const { mutations } = parseOptions(['--socket=/s', '--port=1', ...more]);
      return nodes.filter((node) => mutations(node) !== HONEST_DAEMON);
    };
    expect(broken()).to.deep.equal([]);
    expect(broken('--mutant', 'wrong-index')).to.deep.equal(['sim-3']);
    expect(broken('--mutant', 'wrong-index', '--seed', '2')).to.deep.equal(['sim-4']);
  });

  for (const [args, problem] of [
    [[], /--socket is missing/],
    [['--socket', '/s'], /--port is missing/],
    [['--socket', '/s', '--port', '0'], /--port 0 is no port/],
    [['--socket', '/s', '--port', '65536'], /--port 65536 is no port/],
    [['--socket', '/s', '--port', '11e3'], /--port 11e3 is no port/],
    [['--socket=/s', '--port=1', '--seed=-1'], /--seed: expected a whole number, got -1/],
    [['--socket=/s', '--port=1', '--mutant=x'], /unknown mutant x, expected one of address-twice/],
    [['--sokket', '/s'], /--sokket/],
    [['extra'], /extra/],
  ] as const)
    it(`are refused: ${args.join(' ') || 'none at all'}`, () => {
      expect(() => parseOptions(args)).to.throw(problem);
    });
});
