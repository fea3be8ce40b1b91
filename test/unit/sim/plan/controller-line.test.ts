import { expect } from 'chai';
import { controllerShapes } from '../../../../src/sim/model/controller-spec.ts';
import { controllerLine } from '../../../../src/sim/plan/controller-line.ts';

const command = (spec: object): string =>
  controllerLine({ kind: 'command', ...controllerShapes.command.parse(spec) });

describe('the line of a plan that names the controller', () => {
  it('says of the reference controller what it is asked for', () => {
    const line = (qps: number, mutant?: string, askEveryMs = 30_000) =>
      controllerLine({ kind: 'reference', qps, askEveryMs, mutant });
    expect(line(0)).to.equal('controller: reference');
    expect(line(20)).to.equal('controller: reference (qps 20)');
    expect(line(20, 'leak')).to.equal('controller: reference (qps 20, mutant leak)');
    expect(line(0, undefined, 5000)).to.equal('controller: reference (asks every 5.0s)');
  });

  it('is the command line of a program of the user', () => {
    expect(command({ command: './bin/manager', args: ['--leader-elect=true'] })).to.equal(
      'controller: ./bin/manager --leader-elect=true',
    );
  });

  it('keeps arguments apart', () => {
    expect(command({ command: 'sh', args: ['-c', 'exec sleep 1', ''] })).to.equal(
      'controller: sh -c "exec sleep 1" ""',
    );
  });

  it('says where a program runs when that is not where sim was started, or not as sim is', () => {
    expect(command({ command: './m', workingDirectory: 'src', inCluster: true })).to.equal(
      'controller: ./m (in src, as in a pod)',
    );
  });

  it('names the others in a word', () => {
    expect(controllerLine({ kind: 'toolchain' })).to.equal('controller: toolchain');
    expect(controllerLine({ kind: 'cluster' })).to.equal(
      "controller: cluster (the cluster's own controller-manager)",
    );
  });
});
