import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { formatProblem } from '../../../../src/sim/scenario/problem.ts';
import { loadSource, scenarioOf } from '../../../helpers/planned-scenario.ts';

const multiNic = (operator: JsonObject): JsonObject =>
  scenarioOf({
    operator: { profile: 'multi-nic', ...operator },
    networks: [{ name: 'sample', subnet: '10.64.0.0/10', hostBlock: 10, interfaceBlock: 2 }],
  });

function operatorOf(source: JsonObject) {
  const result = loadSource(source);
  if (!result.ok) throw new Error(result.problems.map(formatProblem).join('\n'));
  return result.loaded.scenario.operator;
}

function problemsOf(source: JsonObject): readonly string[] {
  const result = loadSource(source);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('what a scenario says of the process of the controller', () => {
  it('is without limits and without restarts where nothing is said', () => {
    const { limits, restartPolicy } = operatorOf(multiNic({}));
    expect(limits).to.equal(undefined);
    expect(restartPolicy).to.equal('Never');
  });

  it('keeps quantities as they are written, and says which limit there is not', () => {
    const { limits } = operatorOf(multiNic({ limits: { cpu: '100m', memory: '500Mi' } }));
    expect(limits).to.deep.equal({ cpu: '100m', memory: '500Mi' });
    expect(operatorOf(multiNic({ limits: { cpu: 1 } })).limits).to.deep.equal({
      cpu: '1',
      memory: null,
    });
  });

  it('goes for commands and for programs of the toolchain, too', () => {
    const limits = { memory: '1Gi' };
    const command = multiNic({ controller: { command: 'true' }, limits, restartPolicy: 'Always' });
    expect(operatorOf(command)).to.deep.include({ restartPolicy: 'Always' });
    const whereabouts = scenarioOf({
      operator: { profile: 'whereabouts', limits },
      networks: [{ name: 'pods', range: '10.0.0.0/16', nodeSliceSize: 24 }],
    });
    expect(operatorOf(whereabouts).limits).to.deep.equal({ cpu: null, memory: '1Gi' });
  });

  const rows: readonly (readonly [string, JsonObject, string])[] = [
    ['no limit at all', { limits: {} }, 'operator.limits: expected cpu, memory or both'],
    [
      'less CPU time than the kernel can give',
      { limits: { cpu: '9m' } },
      'operator.limits.cpu: expected at least 10m, got "9m"',
    ],
    [
      'memory without its unit',
      { limits: { memory: 500 } },
      'operator.limits.memory: expected at least 1Mi, got "500"',
    ],
    [
      'what is no quantity',
      { limits: { cpu: 'half' } },
      'operator.limits.cpu: expected a quantity such as 4, 500m or 256Gi, got "half"',
    ],
    [
      'another resource',
      { limits: { cpu: '1', disk: '1Gi' } },
      'operator.limits.disk: unknown key "disk", expected one of cpu, memory',
    ],
    [
      'another policy',
      { restartPolicy: 'OnFailure' },
      'operator.restartPolicy: expected one of "Never"|"Always"',
    ],
  ];
  for (const [title, operator, problem] of rows)
    it(`does not take ${title}`, () => {
      expect(problemsOf(multiNic(operator))).to.deep.equal([problem]);
    });

  it('does not take either for a part of the cluster, with both told at once', () => {
    const why =
      'cannot be set for the controller `cluster`, which sim does not start itself: leave it out';
    const operator = { profile: 'node-ipam', limits: { cpu: '1' }, restartPolicy: 'Always' };
    expect(problemsOf(scenarioOf({ operator }))).to.deep.equal([
      `operator.limits: ${why}`,
      `operator.restartPolicy: ${why}`,
    ]);
    const never = { profile: 'node-ipam', restartPolicy: 'Never' };
    expect(problemsOf(scenarioOf({ operator: never }))).to.deep.equal([]);
  });
});
