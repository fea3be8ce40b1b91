import { expect } from 'chai';
import {
  loadRecordedScenario,
  loadScenario,
  type LoadedScenario,
  type LoadResult,
} from '../../../../src/sim/scenario/load.ts';
import { formatProblem } from '../../../../src/sim/scenario/problem.ts';

/** Lines are counted from the first one after the quote. */
const text = (yaml: string): string => yaml.replace(/^\n/, '');

const problemsOf = (result: LoadResult): readonly string[] =>
  result.ok ? expect.fail('it should have problems') : result.problems.map(formatProblem);

function loaded(result: LoadResult): LoadedScenario {
  if (!result.ok) throw new Error(result.problems.map(formatProblem).join('\n'));
  return result.loaded;
}

const GOOD = text(`
name: good
operator: { profile: node-ipam }
networks:
  - { name: pods, range: 10.244.0.0/16, nodeMask: 24 }
steps:
  - scale: { to: 2 }
  - hold: { for: 5s }
  - restart: { what: controller }
`);

describe('loadScenario', () => {
  describe('with a scenario that says the least', () => {
    const { scenario, profile, source } = loaded(loadScenario('good.yaml', GOOD));

    it('fills in the defaults, in milliseconds', () => {
      expect(scenario).to.deep.equal({
        name: 'good',
        description: undefined,
        cluster: {
          runtime: undefined,
          kubernetes: undefined,
          preset: 'realistic',
          auditLog: true,
        },
        operator: {
          profile: 'node-ipam',
          controller: { kind: 'cluster' },
          restartPolicy: 'Never',
          leaderElect: true,
        },
        networks: [{ name: 'pods', range: '10.244.0.0/16', nodeMask: 24 }],
        nodes: {
          capacity: { cpu: '32', memory: '256Gi', pods: 110 },
          labels: {},
          ready: 'at-create',
        },
        steps: [
          {
            kind: 'scale',
            to: 2,
            remove: 'node-first',
            during: [],
            within: 120_000,
            onMiss: 'stop',
          },
          { kind: 'hold', for: 5000, onMiss: 'stop' },
          {
            kind: 'restart',
            what: 'controller',
            signal: 'SIGTERM',
            downFor: 0,
            times: 1,
            pause: 0,
            probe: true,
            within: 120_000,
            onMiss: 'stop',
          },
        ],
        expect: [],
        settleMs: 10_000,
        overflow: 'refused',
        timeoutMs: undefined,
        seed: 1,
      });
    });

    it('names the profile', () => {
      expect(profile.name).to.equal('node-ipam');
    });

    it('keeps what was written, without the defaults', () => {
      expect(source).to.have.all.keys('name', 'operator', 'networks', 'steps');
    });

    it('reads what it kept again as the same scenario', () => {
      expect(loaded(loadRecordedScenario('good.yaml', source)).scenario).to.deep.equal(scenario);
    });
  });

  it('converts units once: durations to milliseconds, numbers of a capacity to quantities', () => {
    const { scenario } = loaded(
      loadScenario(
        'a.yaml',
        `${GOOD}settle: 1m30s\ntimeout: 1h\nnodes: { capacity: { cpu: 4, memory: 512Mi } }\n`,
      ),
    );
    expect(scenario).to.include({ settleMs: 90_000, timeoutMs: 3_600_000 });
    expect(scenario.nodes.capacity).to.deep.equal({ cpu: '4', memory: '512Mi', pods: 110 });
  });

  it('names six mistakes of different kinds at once, each with its place and in order', () => {
    const yaml = text(`
name: wrong
operator: { profile: node-ipam, leaderElct: true }
networks:
  - { name: pods, range: 10.244.0.0/33, nodeMask: 24 }
steps:
  - scale: { to: 2, name: up, during: [{ at: 3, restart: { what: controller } }] }
  - hold: { for: 5s, name: up }
settle: 5
expect:
  - max(pools) < 3s
`);
    expect(problemsOf(loadScenario('wrong.yaml', yaml))).to.deep.equal([
      'wrong.yaml:2:33 operator.leaderElct: unknown key "leaderElct", did you mean "leaderElect"?',
      'wrong.yaml:4:26 networks[0].range: expected an IPv4 or IPv6 CIDR, got "10.244.0.0/33"',
      'wrong.yaml:6:46 steps[0].scale.during[0].at: expected a number of nodes from 0 to 2, between which the step goes, got 3',
      'wrong.yaml:7:28 steps[1].hold.name: step 1 is called "up" too',
      'wrong.yaml:8:9 settle: expected a duration such as 30s or 1m30s, got 5',
      'wrong.yaml:10:5 expect[0]: unknown metric "pools", expected one of cidr, gone, recovery, api.requests, controller.cpu, controller.rss',
    ]);
  });

  it('names the mistakes of one line from left to right', () => {
    const operator = '{ leaderElct: true, profile: node-ipam, controller: none }';
    const yaml = GOOD.replace('{ profile: node-ipam }', operator);
    expect(problemsOf(loadScenario('f.yaml', yaml)).map((p) => p.split(' ')[0])).to.deep.equal([
      'f.yaml:2:13',
      'f.yaml:2:63',
    ]);
  });

  describe('when the shape has mistakes', () => {
    const withDouble = (yaml: string): string =>
      yaml.replace('hold: { for: 5s }', 'scale: { to: 5, name: x }\n  - scale: { to: 6, name: x }');
    const double = /step 2 is called "x" too$/;

    const elsewhere: readonly (readonly [string, string])[] = [
      ['a range', GOOD.replace('10.244.0.0/16', 'here')],
      ['missing networks', GOOD.replace(/networks:\n.*\n/, '')],
      ['the name', GOOD.replace('name: good', 'name: A')],
      ['an unknown key of a step', GOOD.replace('{ to: 2 }', '{ to: 2, form: 1 }')],
      ['a unit of a step', GOOD.replace('{ to: 2 }', '{ to: 2, within: 30 }')],
      ['a threshold', `${GOOD}expect: [max cidr]\n`],
    ];
    for (const [title, yaml] of elsewhere)
      it(`still finds a double step name, beside ${title}`, () => {
        const problems = problemsOf(loadScenario('f.yaml', withDouble(yaml)));
        expect(problems).to.have.length(2);
        expect(problems.filter((problem) => double.test(problem))).to.have.length(1);
      });

    it('still finds an unknown metric beside a threshold that cannot be read', () => {
      const yaml = `${GOOD}expect: [max cidr, max(pools) < 3s]\n`;
      expect(problemsOf(loadScenario('f.yaml', yaml))[1]).to.contain('unknown metric "pools"');
    });

    it('does not blame a threshold for the step whose name is the mistake', () => {
      const yaml = `${GOOD.replace('{ to: 2 }', '{ to: 2, name: My Step }')}expect: ["step(My Step).max(cidr) < 3s"]\n`;
      expect(problemsOf(loadScenario('f.yaml', yaml))).to.have.length(1);
    });
  });
});
