import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { loadSource, planned, scenarioOf } from '../../../helpers/planned-scenario.ts';

const URL = 'http://127.0.0.1:8080/metrics';
const withOperator = (operator: JsonObject): JsonObject =>
  multiNicScenario({ operator: { profile: 'multi-nic', ...operator } });
const problems = (source: JsonObject): readonly string[] => {
  const result = loadSource(source);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
};

describe('what a scenario says of the metrics of its controller', () => {
  it('is where those of a program are', () => {
    const { scenario } = planned(
      withOperator({ controller: { command: 'manager' }, metrics: { url: URL } }),
    );
    expect(scenario.operator.metrics).to.deep.equal({ url: URL });
  });

  it('may be nothing, or that nobody shall ask', () => {
    expect(planned(withOperator({})).scenario.operator.metrics).to.equal(undefined);
    expect(planned(withOperator({ metrics: false })).scenario.operator.metrics).to.equal(false);
  });

  it('is no address for the reference controller, which says it itself', () => {
    expect(problems(withOperator({ metrics: { url: URL } }))).to.deep.equal([
      'operator.metrics: the reference controller says itself where its metrics are: leave it out, or say false',
    ]);
  });

  it('is no address for a controller that is a part of the cluster', () => {
    const operator = { profile: 'node-ipam', metrics: { url: URL } };
    expect(problems(scenarioOf({ operator }))).to.deep.equal([
      'operator.metrics: cannot be set for the controller `cluster`, which sim does not start itself: leave it out',
    ]);
    expect(problems(scenarioOf({ operator: { profile: 'node-ipam', metrics: false } }))).to.be
      .empty;
  });

  for (const metrics of [true, 8080, URL, {}, { url: 'localhost:8080' }, { url: 'file:///etc' }])
    it(`cannot be ${JSON.stringify(metrics)}`, () => {
      const found = problems(withOperator({ controller: { command: 'manager' }, metrics }));
      expect(found).to.have.length(1);
      expect(found[0]).to.match(/^operator\.metrics/);
    });
});
