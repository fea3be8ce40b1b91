import { expect } from 'chai';
import { parsePath, readDocument } from '../../../../src/sim/scenario/document.ts';
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

const valueWith = (...overrides: readonly string[]): unknown => {
  const { value, problems } = readDocument('f.yaml', YAML, overrides);
  expect(problems.map(formatProblem)).to.deep.equal([]);
  return value;
};
const problemsWith = (text: string, ...overrides: readonly string[]): readonly string[] => {
  const result = loadScenario('f.yaml', text, overrides);
  return result.ok ? expect.fail('it should have problems') : result.problems.map(formatProblem);
};

describe('parsePath', () => {
  it('reads indexes in brackets and between dots alike', () => {
    expect(parsePath('steps[0].scale.to')).to.deep.equal(['steps', 0, 'scale', 'to']);
    expect(parsePath('steps.0.scale.to')).to.deep.equal(['steps', 0, 'scale', 'to']);
  });

  it('reads nothing from nothing', () => {
    expect(parsePath('')).to.deep.equal([]);
  });
});

describe('an override', () => {
  for (const path of ['steps[1].scale.to', 'steps.1.scale.to'])
    it(`sets a value in a list by ${path}`, () => {
      expect(valueWith(`${path}=7`)).to.have.nested.property('steps[1].scale.to', 7);
    });

  it('adds what is not there yet, at any depth', () => {
    const value = valueWith('nodes.capacity.pods=250', 'settle=1s');
    expect(value).to.have.nested.property('nodes.capacity.pods', 250);
    expect(value).to.have.property('settle', '1s');
  });

  it('adds one more entry to a list', () => {
    expect(valueWith('steps[2].scale.to=4')).to.have.nested.property('steps[2].scale.to', 4);
  });

  it('replaces a whole part', () => {
    expect(valueWith('steps=[{ hold: { for: 1s } }]')).to.deep.include({
      steps: [{ hold: { for: '1s' } }],
    });
  });

  it('is read as YAML, so that numbers and booleans are none of them text', () => {
    expect(valueWith('cluster.auditLog=false')).to.have.nested.property('cluster.auditLog', false);
    expect(valueWith('description="5"')).to.have.property('description', '5');
  });

  it('keeps everything after the first equals sign', () => {
    expect(valueWith('expect=["all(cidr) <= 5s"]')).to.deep.include({
      expect: ['all(cidr) <= 5s'],
    });
  });

  it('gives way to a later one of the same path', () => {
    expect(valueWith('seed=1', 'seed=2')).to.have.property('seed', 2);
  });

  const rows: readonly (readonly [string, string])[] = [
    ['name', 'expected path=value, for example steps[0].scale.to=50'],
    ['=5', 'expected path=value, for example steps[0].scale.to=50'],
    ['name.first=5', 'the scenario has nothing at name.first that a value could be put into'],
    ['steps.first=5', 'the scenario has nothing at steps.first that a value could be put into'],
    ['name={', 'Flow map must end with a }'],
  ];
  for (const [override, message] of rows)
    it(`is a problem of its own when it is ${override}`, () => {
      expect(problemsWith(YAML, override)).to.deep.equal([`--set ${override}: ${message}`]);
    });

  it('is named as the place of the problem that it causes', () => {
    expect(problemsWith(YAML, 'steps[0].scale.to=many')).to.deep.equal([
      '--set steps[0].scale.to=many steps[0].scale.to: expected number, received string',
    ]);
  });

  it('is named as the place of a problem inside the part that it replaced', () => {
    expect(problemsWith(YAML, 'steps=[{ scale: {} }]')).to.deep.equal([
      '--set steps=[{ scale: {} }] steps[0].scale.to: is missing, expected a number',
    ]);
  });

  it('is named for an unknown key, and for a rule that it breaks', () => {
    expect(problemsWith(YAML, 'setle=1s')).to.deep.equal([
      '--set setle=1s setle: unknown key "setle", did you mean "settle"?',
    ]);
    expect(problemsWith(YAML, 'expect=[max(gone) < 1s, max(pools) < 1s]')[0]).to.match(
      /^--set expect=.* expect\[1\]: unknown metric "pools"/,
    );
  });

  it('leaves problems elsewhere at their place in the file', () => {
    expect(problemsWith(YAML.replace('to: 0', 'to: none'), 'settle=1s')).to.deep.equal([
      'f.yaml:7:18 steps[1].scale.to: expected number, received string',
    ]);
  });
});

describe('readDocument', () => {
  const rows: readonly (readonly [string, string, RegExp])[] = [
    ['a bracket that is not closed', 'a: { b: 1\n', /^f\.yaml:\d+:\d+: Flow map/],
    ['a key twice', `${YAML}name: b\n`, /^f\.yaml:8:1: Map keys must be unique$/],
    ['two documents', `${YAML}---\na: 1\n`, /^f\.yaml:8:1: Source contains multiple documents/],
    ['an alias without its anchor', 'name: *other\n', /^f\.yaml: Unresolved alias.*: other$/],
    [
      'aliases that multiply without end',
      `a: &a [x, x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
d: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
`,
      /^f\.yaml: Excessive alias count/,
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
