import { expect } from 'chai';
import { readDocument } from '../../../../src/sim/scenario/document.ts';
import { loadScenario } from '../../../../src/sim/scenario/load.ts';
import { parsePath, setOverride, type Override } from '../../../../src/sim/scenario/overrides.ts';
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
  const { value, problems } = readDocument('f.yaml', YAML, overrides.map(setOverride));
  expect(problems.map(formatProblem)).to.deep.equal([]);
  return value;
};
const problemsWith = (text: string, ...overrides: readonly (string | Override)[]) => {
  const given = overrides.map((one) => (typeof one === 'string' ? setOverride(one) : one));
  const result = loadScenario('f.yaml', text, given);
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
    ['name={', 'not YAML: expected the } of a map that begins further up'],
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

  it('is named for what is missing in an entry that it has added', () => {
    expect(problemsWith(YAML, 'steps[2].scale.too=5')).to.deep.equal([
      '--set steps[2].scale.too=5 steps[2].scale.to: is missing, expected a number',
      '--set steps[2].scale.too=5 steps[2].scale.too: unknown key "too", did you mean "to"?',
    ]);
  });

  it('is named for a part that only it speaks of', () => {
    expect(problemsWith(YAML, 'step[0].scale.to=5')).to.deep.equal([
      '--set step[0].scale.to=5 step: unknown key "step", did you mean "steps"?',
    ]);
  });

  it('gets no blame for a part that was there before', () => {
    const text = YAML.replace('{ to: 0 }', '{ within: 1s }');
    expect(problemsWith(text, 'steps[1].scale.settle=1s')).to.deep.equal([
      'f.yaml:7:12 steps[1].scale.to: is missing, expected a number',
    ]);
  });

  const beyond: readonly (readonly [string, string])[] = [
    ['steps[9].scale.to=5', 'steps has 2 entries (0 to 1); the next would be steps[2]'],
    ['networks[2].range=::/64', 'networks has 1 entry; the next would be networks[1]'],
    ['expect[1]=max(cidr) < 1s', 'expect has no entries; the next would be expect[0]'],
    [
      'steps[0].scale.during[1].at=1',
      'steps[0].scale.during has no entries; the next would be steps[0].scale.during[0]',
    ],
  ];
  for (const [override, message] of beyond)
    it(`is told where the list ends when it is ${override}`, () => {
      expect(problemsWith(YAML, override)).to.deep.equal([`--set ${override}: ${message}`]);
    });

  it('of a flag is named by that flag, without the path that the user never wrote', () => {
    const flag = '--seed';
    expect(problemsWith(YAML, { assignment: 'seed="abc"', flag })).to.deep.equal([
      '--seed: expected an integer from 0 up, got "abc"',
    ]);
  });

  it('of a flag still tells which part of it is wrong', () => {
    const text = YAML.replace('node-ipam', 'multi-nic');
    const assignment = 'operator.controller={ command: x, readiness: { http: here } }';
    expect(problemsWith(text, { assignment, flag: '--controller' })[0]).to.match(
      /^--controller operator\.controller\.readiness\.http: /,
    );
  });

  it('that names a controller where the operator has but one is told to leave it out', () => {
    const assignment = 'operator.controller={ command: ./x }';
    expect(problemsWith(YAML, { assignment, flag: '--controller' })).to.deep.equal([
      "--controller: expected cluster: node-ipam always tests the cluster's own controller-manager, so leave it out",
    ]);
  });

  it('leaves problems elsewhere at their place in the file', () => {
    expect(problemsWith(YAML.replace('to: 0', 'to: none'), 'settle=1s')).to.deep.equal([
      'f.yaml:7:18 steps[1].scale.to: expected number, received string',
    ]);
  });
});
