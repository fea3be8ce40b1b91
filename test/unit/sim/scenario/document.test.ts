import { expect } from 'chai';
import { loadScenario } from '../../../../src/sim/scenario/load.ts';
import { formatProblem } from '../../../../src/sim/scenario/problem.ts';

const YAML = `name: a
operator: { profile: node-ipam }
networks:
  - { name: pods, range: 10.244.0.0/16, nodeMask: 24 }
steps:
  - scale: { to: 2 }
  - scale: { to: 0 }
`;

const problemsWith = (text: string): readonly string[] => {
  const result = loadScenario('f.yaml', text);
  return result.ok ? expect.fail('it should have problems') : result.problems.map(formatProblem);
};

describe('readDocument', () => {
  const rows: readonly (readonly [string, string, RegExp])[] = [
    [
      'a bracket that is not closed',
      'a: { b: 1\nc: [1]\n',
      /^f\.yaml:2:1: not YAML: expected the } of a map/,
    ],
    [
      'a list that is not closed',
      'a: [1\nb: 1\n',
      /^f\.yaml:2:1: not YAML: expected the \] of a list/,
    ],
    ['two keys in one line', 'a: b: 1\n', /^f\.yaml:1:4: not YAML: a value on the line of its key/],
    ['a key without a colon', 'a\nb: 1\n', /^f\.yaml:1:1: not YAML: expected a colon after/],
    ['a tab', 'a:\n\tb: 1\n', /^f\.yaml:2:1: not YAML: a tab, expected spaces/],
    ['a sign that YAML keeps', 'a: @b\n', /^f\.yaml:1:4: not YAML: plain value cannot start with/],
    [
      'a key twice',
      `${YAML}name: b\n`,
      /^f\.yaml:8:1: the same key stands here for the second time$/,
    ],
    ['two documents', `${YAML}---\na: 1\n`, /^f\.yaml:8:1: a second document begins here/],
    [
      'an alias without its anchor',
      'name: *other\n',
      /^f\.yaml: not YAML: unresolved alias.*: other$/,
    ],
    [
      'aliases that multiply without end',
      `a: &a [x, x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
d: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
`,
      /^f\.yaml: not YAML: excessive alias count/,
    ],
  ];
  for (const [title, text, problem] of rows)
    it(`finds ${title}`, () => {
      const problems = problemsWith(text);
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(problem);
    });

  it('points at a number that stands as a key', () => {
    expect(problemsWith(`${YAML}1: one\n`)[0]).to.match(/^f\.yaml:8:1 1: unknown key "1"/);
  });

  it('points at an alias whose anchor has the wrong value', () => {
    const text = YAML.replace('name: a', 'name: &n a').replace('to: 0', 'to: *n');
    expect(problemsWith(text)).to.deep.equal([
      'f.yaml:7:18 steps[1].scale.to: expected number, received string',
    ]);
  });
});
