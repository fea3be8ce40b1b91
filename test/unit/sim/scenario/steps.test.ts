import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { ScenarioStep } from '../../../../src/sim/scenario/step-shapes.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { hasMetric, nodeCounts, stepNames } from '../../../../src/sim/scenario/steps.ts';
import { planned, scenarioOf } from '../../../helpers/planned-scenario.ts';

const stepsOf = (...steps: readonly JsonObject[]): readonly ScenarioStep[] =>
  planned(scenarioOf({ steps })).scenario.steps;

describe('stepNames', () => {
  it('are made from what a step does', () => {
    const steps = stepsOf(
      { scale: { to: 5 } },
      { hold: { for: '1s' } },
      { restart: { what: 'controller' } },
    );
    expect(stepNames(steps)).to.deep.equal(['scale-5', 'hold', 'restart-controller']);
  });

  it('say which daemon, which fault and what is healed', () => {
    const { scenario } = planned(
      multiNicScenario({
        steps: [
          { scale: { to: 3 } },
          { allocate: {} },
          { deallocate: {} },
          { taint: { nodes: 1 } },
          { untaint: { nodes: 1 } },
          { restart: { what: 'daemons' } },
          { restart: { what: 'daemon', node: 2 } },
          { restart: { what: 'kwok' } },
          { fault: { nodes: 1, what: 'missing-nic', interface: 'eth1' } },
          { heal: { what: 'missing-nic' } },
          { heal: {} },
          { churn: { nodes: 1, for: '1s' } },
          { apply: { manifest: 'a.yaml' } },
          { delete: { manifest: 'a.yaml' } },
        ],
      }),
    );
    expect(stepNames(scenario.steps)).to.deep.equal([
      'scale-3',
      'allocate',
      'deallocate',
      'taint',
      'untaint',
      'restart-daemons',
      'restart-daemon-2',
      'restart-kwok',
      'fault-missing-nic',
      'heal-missing-nic',
      'heal',
      'churn',
      'apply',
      'delete',
    ]);
  });

  it('get a number where they recur', () => {
    const up = { scale: { to: 5 } };
    const down = { scale: { to: 0 } };
    expect(stepNames(stepsOf(up, down, up, down, up))).to.deep.equal([
      'scale-5',
      'scale-0',
      'scale-5-2',
      'scale-0-2',
      'scale-5-3',
    ]);
  });

  it('leave a name alone that another step was given, even a later one', () => {
    const steps = stepsOf(
      { scale: { to: 5 } },
      { scale: { to: 0 } },
      { scale: { to: 5 } },
      { hold: { for: '1s', name: 'scale-5-2' } },
      { hold: { for: '1s', name: 'scale-0' } },
    );
    expect(stepNames(steps)).to.deep.equal([
      'scale-5',
      'scale-0-2',
      'scale-5-3',
      'scale-5-2',
      'scale-0',
    ]);
  });
});

describe('nodeCounts', () => {
  it('follow the scale steps, and stay through the others', () => {
    const steps = stepsOf(
      { scale: { to: 5 } },
      { hold: { for: '1s' } },
      { scale: { to: 2 } },
      { restart: { what: 'controller' } },
    );
    expect(nodeCounts(steps)).to.deep.equal([
      { before: 0, after: 5 },
      { before: 5, after: 5 },
      { before: 5, after: 2 },
      { before: 2, after: 2 },
    ]);
  });
});

describe('hasMetric', () => {
  const steps = stepsOf(
    { scale: { to: 5 } },
    { hold: { for: '1s' } },
    { scale: { to: 2 } },
    { scale: { to: 2 } },
  );

  it('has samples of milestones where nodes come', () => {
    expect(hasMetric(steps, 'timing', 'cidr')).to.deep.equal(['scale-5']);
  });

  it('has samples of gone where nodes go', () => {
    expect(hasMetric(steps, 'timing', 'gone')).to.deep.equal(['scale-2']);
  });

  it('has what is counted in every step', () => {
    expect(hasMetric(steps, 'requests', 'api.requests')).to.have.length(4);
    expect(hasMetric(steps, 'counter', 'processed')).to.have.length(4);
  });

  const during = [{ at: 2, restart: { what: 'controller' } }];
  const { scenario } = planned(
    multiNicScenario({
      steps: [
        { scale: { to: 2 } },
        { churn: { nodes: 1, for: '1s', name: 'churn-of-two' } },
        { allocate: {} },
        { deallocate: {} },
        { fault: { nodes: 1, what: 'hang', name: 'lasting' } },
        { fault: { nodes: 1, what: 'hang', for: '1s', name: 'passing' } },
        { fault: { nodes: 1, what: 'drop', name: 'momentary' } },
        { heal: {} },
        { restart: { what: 'kwok' } },
        { scale: { to: 3, during } },
      ],
    }),
  );
  const inSteps = (metric: string): readonly string[] =>
    hasMetric(scenario.steps, 'latency', metric);

  it('has samples of milestones where nodes are replaced', () => {
    expect(inSteps('cidr')).to.deep.equal(['scale-2', 'churn-of-two', 'scale-3']);
  });

  it('has times of requests where addresses are asked for, or given back', () => {
    expect(inSteps('allocate')).to.deep.equal(['allocate']);
    expect(inSteps('deallocate')).to.deep.equal(['deallocate']);
    expect(inSteps('leases')).to.deep.equal(['allocate', 'deallocate']);
  });

  it('has recoveries where something ends: a restart or a fault', () => {
    expect(inSteps('recovery')).to.deep.equal([
      'passing',
      'momentary',
      'heal',
      'restart-kwok',
      'scale-3',
    ]);
  });

  it('promises exactly the samples that the plan promises', () => {
    const { plan, scenario } = planned(
      scenarioOf({
        steps: [{ scale: { to: 5 } }, { hold: { for: '1s' } }, { scale: { to: 2 } }],
      }),
    );
    for (const metric of ['cidr', 'gone'])
      expect(hasMetric(scenario.steps, 'timing', metric)).to.deep.equal(
        plan.steps.filter(({ samples }) => samples.includes(metric)).map(({ name }) => name),
      );
  });
});
