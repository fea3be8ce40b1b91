import { expect } from 'chai';
import { mutationOf, MUTANTS } from '../../../../src/stubs/controller/mutants.ts';
import { parseOptions } from '../../../../src/stubs/controller/options.ts';

const LEAST = ['--kubeconfig', 'k.yaml'];

describe('the options of the reference controller', () => {
  it('need no more than a kubeconfig: no limit, and an honest controller', () => {
    expect(parseOptions(LEAST)).to.deep.equal({
      kubeconfig: 'k.yaml',
      namespace: 'multi-nic-cni-operator',
      daemonPort: 11_000,
      qps: 0,
      askEveryMs: 30_000,
      metricsPort: undefined,
      mutation: mutationOf(undefined, 1),
    });
  });

  it('are a namespace, a port, a rate, and a mutant with its seed', () => {
    const options = parseOptions([
      ...LEAST,
      ...['--namespace', 'other', '--daemon-port', '12000', '--qps', '20', '--ask-every', '5000'],
      ...['--metrics-port', '0', '--mutant', 'node-forgotten', '--seed', '4'],
    ]);
    expect(options).to.deep.include({
      namespace: 'other',
      daemonPort: 12_000,
      qps: 20,
      askEveryMs: 5000,
      metricsPort: 0,
    });
    const hosts = ['sim-1', 'sim-2', 'sim-3', 'sim-4'];
    expect(hosts.filter(options.mutation.forgets)).to.deep.equal(['sim-3']);
  });

  for (const [title, args, problem] of [
    ['no kubeconfig', [], '--kubeconfig is missing'],
    ['an empty kubeconfig', ['--kubeconfig', ''], '--kubeconfig is missing'],
    ['a rate below 0', [...LEAST, '--qps=-1'], '--qps: expected a whole number, got -1'],
    ['half a seed', [...LEAST, '--seed', '0.5'], '--seed: expected a whole number, got 0.5'],
    ['an empty rate', [...LEAST, '--qps', ''], '--qps: expected a whole number, got '],
    ['no time between questions', [...LEAST, '--ask-every', '0'], '--ask-every: expected at least'],
    [
      'a metrics port too high',
      [...LEAST, '--metrics-port', '65536'],
      '--metrics-port: 65536 is no port',
    ],
    ['port 0', [...LEAST, '--daemon-port', '0'], '--daemon-port: 0 is no port'],
    ['a port too high', [...LEAST, '--daemon-port', '65536'], '--daemon-port: 65536 is no port'],
    ['an unknown option', [...LEAST, '--speed', '1'], "Unknown option '--speed'"],
    ['a word too many', [...LEAST, 'now'], "Unexpected argument 'now'"],
    [
      'an unknown mutant',
      [...LEAST, '--mutant', 'x'],
      `unknown mutant x, expected one of ${MUTANTS.map(({ name }) => name).join(', ')}`,
    ],
  ] as const)
    it(`are refused with ${title}`, () => {
      expect(() => parseOptions(args)).to.throw(problem);
    });
});
