import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { Plan } from '../../../../src/sim/model/plan.ts';
import { nodeIpamProfile } from '../../../../src/sim/operators/node-ipam/profile.ts';
import { planScenario, type PlanResult } from '../../../../src/sim/plan/plan.ts';
import {
  loadSource,
  networkFor,
  planned,
  plannedFor,
  scenarioOf,
} from '../../../helpers/planned-scenario.ts';
import { tableProfile, tableScenario } from '../../../helpers/table-profile.ts';

const planOf = (changes: JsonObject): Plan => planned(scenarioOf(changes)).plan;

function tryToPlan(changes: JsonObject): PlanResult {
  const result = loadSource(scenarioOf(changes));
  if (!result.ok) return expect.fail(result.problems.map(({ message }) => message).join('; '));
  return planScenario(result.loaded.scenario, nodeIpamProfile);
}

function refusal(changes: JsonObject): readonly string[] {
  const result = tryToPlan(changes);
  if (result.ok) return expect.fail('it should be refused');
  return result.problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const up = (to: number): JsonObject => ({ scale: { to } });
const DUAL = [
  { name: 'four', range: '10.244.0.0/22', nodeMask: 24 },
  { name: 'six', range: 'fd00:10:244::/60', nodeMask: 63 },
];

describe('planScenario', () => {
  it('says what the plan is of', () => {
    expect(planOf({ seed: 7, expect: ['all(cidr) < 5s'] })).to.deep.include({
      schema: 'sim.plan/1',
      scenario: 'small',
      profile: 'node-ipam',
      seed: 7,
      peakNodes: 2,
      thresholds: [{ expr: 'all(cidr) < 5s', abortAfterMs: null }],
    });
  });

  it('is pure: the same scenario gives the same plan, and is left as it was', () => {
    const { scenario } = planned(scenarioOf({ steps: [up(5), { scale: { to: 0 } }] }));
    const before = structuredClone(scenario);
    const plans = [1, 2].map(() => planScenario(scenario, nodeIpamProfile));
    expect(plans[0]).to.have.deep.property('plan', plans[1]?.ok === true && plans[1].plan);
    expect(scenario).to.deep.equal(before);
  });

  it('is a plain value, so that it can be written down and read again', () => {
    const plan = planOf({ steps: [up(3), { restart: { what: 'controller' } }, up(0)] });
    const read: unknown = JSON.parse(JSON.stringify(plan));
    const withoutUndefined = structuredClone(plan) as unknown as { steps: { removal?: string }[] };
    for (const step of withoutUndefined.steps) if (step.removal === undefined) delete step.removal;
    expect(read).to.deep.equal(withoutUndefined);
  });

  it('tells steps of the same kind apart by a number', () => {
    const { steps } = planOf({ steps: [up(2), up(0), up(2)] });
    expect(steps.map(({ name }) => name)).to.deep.equal(['scale-2', 'scale-0', 'scale-2-2']);
  });

  it('counts the most nodes that there are at a time', () => {
    expect(planOf({ steps: [up(2), up(7), up(3)] }).peakNodes).to.equal(7);
  });

  describe('the time-out', () => {
    it('is the sum of all steps and two minutes', () => {
      const { timeoutMs } = planOf({
        steps: [
          { scale: { to: 2, within: '30s' } },
          { hold: { for: '10s' } },
          { scale: { to: 0, within: '20s', settle: '5s' } },
        ],
      });
      expect(timeoutMs).to.equal(30_000 + 2000 + 10_000 + 20_000 + 5000 + 120_000);
    });

    it('is what the scenario says, when it says so', () => {
      expect(planOf({ timeout: '90s' }).timeoutMs).to.equal(90_000);
    });
  });
});

describe('the capacity of the networks', () => {
  it('is shown with its arithmetic', () => {
    expect(planOf({ steps: [up(200)] }).capacity).to.deep.equal([
      {
        network: 'pods',
        needed: 200,
        available: 256,
        milestones: ['cidr'],
        remedy: 'take a larger range or smaller blocks',
        text: '200 nodes × 1 block = 200 blocks needed; 10.244.0.0/16 (65536 addresses) ÷ /24 (2^8 addresses) = 2^8 = 256 blocks',
      },
    ]);
  });

  it('may be used to the last block', () => {
    expect(tryToPlan({ networks: [networkFor(4)], steps: [up(4)] }).ok).to.be.true;
  });

  it('refuses one node more, with the arithmetic and the way out', () => {
    expect(refusal({ networks: [networkFor(4)], steps: [up(5), up(0)] })).to.deep.equal([
      'networks.0: network "pods" is too small: 5 nodes × 1 block = 5 blocks needed; ' +
        '10.244.0.0/22 (1024 addresses) ÷ /24 (2^8 addresses) = 2^2 = 4 blocks; 1 block short; ' +
        'take a larger range or smaller blocks, or say `overflow: expected`',
    ]);
  });

  it('refuses by the network that is too small, in dual-stack', () => {
    expect(refusal({ networks: DUAL, steps: [up(9)] })).to.deep.equal([
      'networks.0: network "four" is too small: 9 nodes × 1 block = 9 blocks needed; ' +
        '10.244.0.0/22 (1024 addresses) ÷ /24 (2^8 addresses) = 2^2 = 4 blocks; 5 blocks short; ' +
        'take a larger range or smaller blocks, or say `overflow: expected`',
      'networks.1: network "six" is too small: 9 nodes × 1 block = 9 blocks needed; ' +
        'fd00:10:244::/60 (295147905179352825856 addresses) ÷ /63 (2^65 addresses) = 2^3 = 8 blocks; 1 block short; ' +
        'take a larger range or smaller blocks, or say `overflow: expected`',
    ]);
    expect(refusal({ networks: DUAL, steps: [up(5)] })).to.have.length(1);
  });

  describe('when overflow is expected', () => {
    const servedAtMost = (networks: readonly JsonObject[], nodes: number) =>
      planOf({ networks, overflow: 'expected', steps: [up(nodes)] }).steps[0]?.goal.servedAtMost;

    it('bounds how many nodes can be served', () => {
      expect(servedAtMost([networkFor(4)], 6)).to.deep.equal({ cidr: 4 });
    });

    it('bounds nothing as long as all nodes fit', () => {
      expect(servedAtMost([networkFor(4)], 4)).to.deep.equal({});
    });

    it('takes the tightest network, whatever their order', () => {
      expect(servedAtMost(DUAL, 10)).to.deep.equal({ cidr: 4 });
      expect(servedAtMost(DUAL.toReversed(), 10)).to.deep.equal({ cidr: 4 });
    });

    it('counts only nodes that can have all that they need', () => {
      const { plan } = plannedFor(
        tableProfile,
        tableScenario({
          operator: { profile: 'tables', interfaces: 2 },
          networks: [{ name: 'net', subnets: ['10.0.0.0/8'], blocks: 3 }],
          overflow: 'expected',
          steps: [{ scale: { to: 3 } }],
        }),
      );
      expect(plan.steps[0]?.goal.servedAtMost).to.deep.equal({ full: 1 });
    });

    it('still shows the arithmetic', () => {
      const { capacity } = planOf({
        networks: [networkFor(4)],
        overflow: 'expected',
        steps: [up(6)],
      });
      expect(capacity[0]).to.include({ needed: 6, available: 4 });
    });
  });
});
