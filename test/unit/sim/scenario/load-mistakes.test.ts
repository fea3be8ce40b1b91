import { expect } from 'chai';
import { loadScenario } from '../../../../src/sim/scenario/load.ts';
import { formatProblem } from '../../../../src/sim/scenario/problem.ts';

const GOOD = `name: good
operator: { profile: node-ipam }
networks:
  - { name: pods, range: 10.244.0.0/16, nodeMask: 24 }
steps:
  - scale: { to: 2 }
  - hold: { for: 5s }
  - restart: { what: controller }
`;

describe('a scenario with one mistake', () => {
  const replaced = (from: string, to: string): string => {
    expect(GOOD).to.contain(from);
    return GOOD.replace(from, to);
  };
  const rows: readonly (readonly [string, string, string])[] = [
    ['an empty file', '', 'f.yaml:1:1: expected a scenario: name, operator, networks, steps'],
    ['only a comment', '# later\n', 'f.yaml:1:1: expected a scenario: name, operator'],
    ['a list', '- name: a\n', 'f.yaml:1:1: expected a scenario: name, operator'],
    ['a sentence', 'hello\n', 'f.yaml:1:1: expected a scenario: name, operator'],
    ['no name', replaced('name: good\n', ''), 'f.yaml:1:1 name: is missing, expected a string'],
    [
      'a name that cannot be part of a file name',
      replaced('name: good', 'name: 200 Nodes'),
      'f.yaml:1:7 name: expected lower-case letters, digits and dashes, at most 63 of them, got "200 Nodes"',
    ],
    [
      'no networks',
      replaced('networks:\n  - { name: pods, range: 10.244.0.0/16, nodeMask: 24 }\n', ''),
      'f.yaml:1:1 networks: is missing, expected an array',
    ],
    [
      'no operator',
      replaced('operator: { profile: node-ipam }\n', ''),
      'f.yaml:1:1 operator: which operator is under test? expected one of multi-nic, node-ipam',
    ],
    [
      'an unknown profile',
      replaced('profile: node-ipam', 'profile: calico'),
      'f.yaml:2:22 operator.profile: unknown profile "calico", expected one of multi-nic, node-ipam',
    ],
    [
      'a wrong type',
      replaced('{ to: 2 }', '{ to: "2" }'),
      'f.yaml:6:18 steps[0].scale.to: expected number, received string',
    ],
    [
      'a missing number',
      replaced('{ to: 2 }', '{}'),
      'f.yaml:6:12 steps[0].scale.to: is missing, expected a number',
    ],
    [
      'a missing duration',
      replaced('{ for: 5s }', '{}'),
      'f.yaml:7:11 steps[1].hold.for: is missing, expected a duration such as 30s or 1m30s',
    ],
    [
      'a duration of nothing',
      replaced('for: 5s', 'for: 0s'),
      'f.yaml:7:18 steps[1].hold.for: expected a duration longer than 0s',
    ],
    [
      'a block larger than its range',
      replaced('nodeMask: 24', 'nodeMask: 8'),
      'f.yaml:4:51 networks[0].nodeMask: expected a prefix length from 16 to 32 for the range 10.244.0.0/16',
    ],
    [
      'two ranges of one family',
      replaced('steps:', '  - { name: more, range: 10.0.0.0/16, nodeMask: 24 }\nsteps:'),
      'f.yaml:5:26 networks[1].range: expected one IPv4 and one IPv6 range',
    ],
    [
      'two keys in one step',
      replaced('  - hold: { for: 5s }', '    hold: { for: 5s }'),
      'f.yaml:6:5 steps[0]: expected one of scale, allocate, deallocate, taint, untaint, restart, fault, heal, churn, apply, delete, hold, got scale and hold',
    ],
    [
      'a step that does nothing',
      replaced('hold: { for: 5s }', '{}'),
      'f.yaml:7:5 steps[1]: expected one of scale, allocate, deallocate, taint, untaint, restart, fault, heal, churn, apply, delete, hold, got none',
    ],
    [
      'a capacity that is no quantity',
      `${GOOD}nodes: { capacity: { memory: 256GB } }\n`,
      'f.yaml:9:30 nodes.capacity.memory: expected a quantity such as 4, 500m or 256Gi, got "256GB"',
    ],
    [
      'a threshold that cannot be read',
      `${GOOD}expect: [max cidr]\n`,
      'f.yaml:9:10 expect[0]: expected [step(NAME).]STAT(METRIC) OP VALUE',
    ],
    [
      'a key that is nothing like a known one',
      `${GOOD}thresholds: []\n`,
      'f.yaml:9:1 thresholds: unknown key "thresholds", expected one of name, description, cluster',
    ],
  ];
  for (const [title, yaml, problem] of rows)
    it(`is told where and what, given ${title}`, () => {
      const result = loadScenario('f.yaml', yaml);
      const problems = result.ok ? [] : result.problems.map(formatProblem);
      expect(problems).to.have.length(1);
      expect(problems[0]!.slice(0, problem.length)).to.equal(problem);
    });
});
