import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { formatPath } from '../../../../src/sim/base/value-path.ts';
import { RULES } from '../../../../src/sim/scenario/rules.ts';
import { loadSource, planned, plannedFor, scenarioOf } from '../../../helpers/planned-scenario.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { tableProfile, tableScenario } from '../../../helpers/table-profile.ts';

/** The problems of an otherwise good scenario, as `path: message`. */
function problemsOf(changes: JsonObject): readonly string[] {
  const result = loadSource(scenarioOf(changes));
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

const during = (at: number): JsonObject => ({ at, restart: { what: 'controller' } });

describe('the rule that step names are unique', () => {
  it('names each later bearer of a name, and the first', () => {
    expect(
      problemsOf({
        steps: [
          { hold: { for: '1s', name: 'x' } },
          { scale: { to: 1, name: 'y' } },
          { hold: { for: '1s', name: 'x' } },
          { scale: { to: 2, name: 'x' } },
        ],
      }),
    ).to.deep.equal([
      'steps[2].hold.name: step 1 is called "x" too',
      'steps[3].scale.name: step 1 is called "x" too',
    ]);
  });

  it('has nothing against steps without names', () => {
    expect(problemsOf({ steps: [{ hold: { for: '1s' } }, { hold: { for: '1s' } }] })).to.be.empty;
  });
});

describe('the rule for what happens during a scale step', () => {
  it('allows both ends of the step, up and down', () => {
    expect(
      problemsOf({
        steps: [
          { scale: { to: 2 } },
          { scale: { to: 5, during: [during(2), during(5)] } },
          { scale: { to: 3, during: [during(5), during(3)] } },
        ],
      }),
    ).to.be.empty;
  });

  it('refuses what lies beyond them, counted from where the step before has ended', () => {
    expect(
      problemsOf({
        steps: [
          { scale: { to: 5 } },
          { hold: { for: '1s' } },
          { scale: { to: 3, during: [during(2), during(4), during(6)] } },
        ],
      }),
    ).to.deep.equal(
      [0, 2].map(
        (i) =>
          `steps[2].scale.during[${i}].at: expected a number of nodes from 3 to 5, between which the step goes, got ${i === 0 ? 2 : 6}`,
      ),
    );
  });
});

describe('the rule for thresholds', () => {
  const steps = [{ scale: { to: 2 } }, { hold: { for: '1s' } }, { scale: { to: 0 } }];
  const problemOf = (threshold: string): readonly string[] =>
    problemsOf({ steps, expect: [threshold] });

  for (const good of [
    'max(cidr) < 3s',
    'all(gone) < 3s',
    'step(scale-2).p50(cidr) < 3s',
    'sum(api.requests{verb=create}) < 100',
    'step(hold).max(controller.cpu) < 1',
    'max(controller.rss) < 300Mi',
    'all(cidr) < 0',
    'count(cidr) == 2',
    'rate(cidr) > 1.5',
    'sum(controller.cpu) < 30s',
  ])
    it(`accepts ${good}`, () => {
      expect(problemOf(good)).to.be.empty;
    });

  const bad: readonly (readonly [string, string])[] = [
    [
      'max(pools) < 3s',
      'unknown metric "pools", expected one of cidr, gone, recovery, api.requests, controller.cpu, controller.rss',
    ],
    [
      'step(scale-3).max(cidr) < 3s',
      'unknown step "scale-3", expected one of scale-2, hold, scale-0',
    ],
    ['all(cidr) < 20', 'all(cidr) is a time, expected a duration such as 20s, got 20'],
    [
      'sum(api.requests{verb=creat}) < 3',
      'unknown verb "creat", expected one of get, list, watch, create, update, patch, delete, deletecollection',
    ],
    [
      'sum(cidr) < 3s',
      'cidr has no statistic "sum", expected one of min, pNN, max, all, count, rate',
    ],
    ['max(cidr{verb=create}) < 3s', 'cidr has no labels, only api.requests has'],
    ['step(hold).max(cidr) < 3s', 'no step that it covers has samples of cidr'],
    ['step(scale-2).all(gone) < 3s', 'no step that it covers has samples of gone'],
  ];
  for (const [threshold, problem] of bad)
    it(`refuses ${threshold}`, () => {
      expect(problemOf(threshold)).to.deep.equal([`expect[0]: ${problem}`]);
    });

  it('refuses a metric of which no step has samples', () => {
    expect(problemsOf({ expect: ['all(gone) < 3s'] })).to.deep.equal([
      'expect[0]: no step that it covers has samples of gone',
    ]);
  });

  it('knows the milestones and counters of the profile', () => {
    const { scenario } = plannedFor(
      tableProfile,
      tableScenario({
        expect: ['max(full) < 3s', 'regressions(processed) == 0', 'max(cidr) < 3s'],
      }),
    );
    const problems = RULES.flatMap((rule) => rule.check(scenario, tableProfile));
    expect(problems.map(({ path, message }) => `${formatPath(path)}: ${message}`)).to.deep.equal([
      'expect[2]: unknown metric "cidr", expected one of block, full, total, processed, gone, recovery, api.requests, controller.cpu, controller.rss',
    ]);
  });
});

describe('the rule for thresholds on the counters of one network', () => {
  const problemsWith = (...expected: readonly string[]): readonly string[] => {
    const { scenario } = plannedFor(
      tableProfile,
      tableScenario({
        networks: [
          { name: 'a', subnets: ['10.0.0.0/8'] },
          { name: 'b.c', subnets: ['11.0.0.0/8'] },
        ],
        expect: [...expected],
      }),
    );
    return RULES.flatMap((rule) => rule.check(scenario, tableProfile)).map(
      ({ path, message }) => `${formatPath(path)}: ${message}`,
    );
  };

  it('accepts each network of the scenario', () => {
    expect(problemsWith('regressions(a/processed) == 0', 'max(b.c/total) < 5')).to.be.empty;
  });

  it('names the networks that there are', () => {
    expect(problemsWith('regressions(c/processed) == 0')).to.deep.equal([
      'expect[0]: unknown network "c", expected one of a, b.c',
    ]);
  });

  it('does not take a network with a broken name for an unknown one', () => {
    const changes = {
      networks: [
        { name: 'Net', subnet: '192.168.0.0/16' },
        { name: 'other', subnet: '192.169.0.0/16' },
      ],
      expect: ['regressions(Net/processed) == 0'],
    };
    const result = loadSource(multiNicScenario(changes));
    const problems = result.ok ? [] : result.problems.map(({ path }) => path);
    expect(problems).to.include('networks[0].name').and.not.to.include('expect[0]');
  });
});

describe('the rules', () => {
  it('have nothing against a good scenario', () => {
    const { scenario, profile } = planned(scenarioOf());
    expect(RULES.flatMap((rule) => rule.check(scenario, profile))).to.be.empty;
  });
});
