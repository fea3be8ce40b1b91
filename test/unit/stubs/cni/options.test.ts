import { expect } from 'chai';
import { parseOptions } from '../../../../src/stubs/cni/options.ts';

describe('the arguments of the CNI stub', () => {
  it('are a kubeconfig, or nothing', () => {
    expect(parseOptions(['--kubeconfig', '/k'])).to.deep.equal({ kubeconfig: '/k' });
    expect(parseOptions([])).to.deep.equal({ kubeconfig: undefined });
  });

  for (const args of [['--kubekonfig', '/k'], ['plan.json'], ['--kubeconfig']])
    it(`are refused: ${args.join(' ')}`, () => {
      expect(() => parseOptions(args)).to.throw(/kube|plan\.json/);
    });
});
