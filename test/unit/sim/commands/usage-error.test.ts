import { expect } from 'chai';
import { usageError } from '../../../../src/sim/commands/usage-error.ts';

const KNOWN = ['help', 'version', 'set', 'seed', 'controller', 'in-cluster', 'keep-cluster'];
const HELP = '`sim --help` lists commands and options';

const told = (message: string, ...args: readonly string[]) => {
  const { code, message: text, hint } = usageError(message, args, KNOWN);
  expect(code).to.equal('SIM_USAGE');
  return { text, hint };
};

describe('a command line that is wrong', () => {
  it('names an unknown option once, and the one that was meant', () => {
    expect(told('Unknown arguments: kep-cluster, kepCluster', '--kep-cluster')).to.deep.equal({
      text: 'Unknown argument: kep-cluster',
      hint: 'did you mean --keep-cluster?',
    });
  });

  it('names several unknown options, each once', () => {
    const message =
      'Unknown arguments: leader-elect, leaderElect, x, sync-period-min, syncPeriodMin';
    expect(told(message)).to.deep.equal({
      text: 'Unknown arguments: leader-elect, x, sync-period-min',
      hint: HELP,
    });
  });

  for (const controller of [['--controller', './m'], ['--controller=./m']])
    it(`says where the arguments of the controller go, given ${controller.join(' ')}`, () => {
      const message = 'Unknown arguments: leader-elect, leaderElect, v';
      expect(told(message, 'run', 'x', ...controller, '--leader-elect=true', '-v')).to.deep.equal({
        text: 'Unknown arguments: leader-elect, v',
        hint: "the controller's own arguments follow a lone --: --controller ./m -- --leader-elect=true -v",
      });
    });

  it('says both where both may be meant', () => {
    const { hint } = told('Unknown argument: in-custer', '--controller', './m', '--in-custer');
    expect(hint).to.match(/^did you mean --in-cluster\?; the controller's own arguments follow/);
  });

  it('is otherwise told in the words that there are', () => {
    expect(told('name a command')).to.deep.equal({ text: 'name a command', hint: HELP });
  });
});
