import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { formatPlan } from '../../../../src/sim/plan/format.ts';
import { STEP_KINDS } from '../../../../src/sim/model/plan.ts';
import { planScenario } from '../../../../src/sim/plan/plan.ts';
import { loadScenario } from '../../../../src/sim/scenario/load.ts';
import { expectGolden } from '../../../helpers/golden.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { networkFor, planned, scenarioOf } from '../../../helpers/planned-scenario.ts';

const SCENARIOS = new URL('../../../../scenarios/', import.meta.url);

const EVERY_KIND = multiNicScenario({
  seed: 42,
  steps: [
    { scale: { to: 6 } },
    { apply: { manifest: 'policies.yaml' } },
    { allocate: { podsPerNode: 3 } },
    { allocate: { nodes: '2,4-5', podObjects: 'current', rate: 20, arrival: 'poisson' } },
    { taint: { nodes: '1-2', key: 'example.com/down', value: 'yes', effect: 'NoExecute' } },
    { untaint: { nodes: '1-2', key: 'example.com/down' } },
    { fault: { nodes: '1-3', what: 'error', status: 503, paths: ['/interface'] } },
    { fault: { nodes: 6, what: 'missing-nic', interface: 'eth1' } },
    { scale: { to: 8, during: [{ at: 7, restart: { what: 'controller' } }] } },
    { heal: {} },
    { fault: { nodes: '4,6', what: 'latency', delay: '200ms', for: '5s', times: 2 } },
    { restart: { what: 'controller', signal: 'SIGKILL' } },
    { restart: { what: 'daemons', atATime: 4, downFor: '1s', pause: '2s', probe: false } },
    { restart: { what: 'daemon', node: 3, probe: false } },
    { restart: { what: 'kwok', probe: false } },
    { churn: { nodes: '2-4', for: '6s', every: '2s' } },
    { deallocate: { nodes: '5-6', podsPerNode: 2 } },
    { deallocate: {} },
    { delete: { manifest: 'policies.yaml' } },
    { hold: { for: '5s' } },
    { scale: { to: 0, remove: 'pods-first' } },
  ],
});

function linesOf(changes: JsonObject): readonly string[] {
  const { plan, scenario } = planned(scenarioOf(changes));
  return formatPlan(plan, scenario.operator.controller).slice(3);
}

describe('formatPlan', () => {
  for (const file of readdirSync(SCENARIOS).filter((name) => name.endsWith('.yaml')))
    it(`prints ${file} as it did before`, () => {
      const loaded = loadScenario(file, readFileSync(new URL(file, SCENARIOS), 'utf8'));
      if (!loaded.ok) return expect.fail(`${file} cannot be read`);
      const { scenario, profile } = loaded.loaded;
      const planning = planScenario(scenario, profile);
      if (!planning.ok) return expect.fail(`${file} cannot be planned`);
      const text = `${formatPlan(planning.plan, scenario.operator.controller).join('\n')}\n`;
      expectGolden(`plans/${file.replace('.yaml', '.txt')}`, text);
    });

  it('has a line for each thing that every kind of step does', () => {
    const { plan, scenario } = planned(EVERY_KIND);
    expect(new Set(plan.steps.map(({ kind }) => kind))).to.deep.equal(new Set(STEP_KINDS));
    const text = `${formatPlan(plan, scenario.operator.controller).join('\n')}\n`;
    expectGolden('plans/every-kind-of-step.txt', text);
  });

  it('puts neighbours of a kind in one line, and parts them where something happens', () => {
    const during = [{ at: 3, restart: { what: 'controller', signal: 'SIGKILL' } }];
    expect(linesOf({ steps: [{ scale: { to: 4, during } }] })).to.deep.equal([
      '',
      '1. scale-4: 0 → 4 nodes, within 2m00s, settled for 2.0s',
      '   create sim-1…sim-3 (3)',
      '   restart the controller with SIGKILL',
      '   create sim-4',
      '   goal: cidr for sim-1…sim-4',
    ]);
  });

  it('shows the proof of life of a restart', () => {
    expect(
      linesOf({ steps: [{ scale: { to: 1 } }, { restart: { what: 'controller' } }] }).slice(5),
    ).to.deep.equal([
      '2. restart-controller: 1 node, within 2m00s, settled for 2.0s',
      '   restart the controller with SIGTERM',
      '   create sim-2',
      '   wait for cidr on sim-2',
      '   delete sim-2',
      '   delete the pods on sim-2',
      '   goal: cidr for sim-1; nothing left of the removed ones (node-first)',
    ]);
  });

  it('shows that a hold allows no loss', () => {
    expect(linesOf({ steps: [{ hold: { for: '10s' } }] })).to.deep.equal([
      '',
      '1. hold: 0 nodes, nothing may be lost',
      '   hold for 10.0s',
      '   goal: cidr for no nodes',
    ]);
  });

  it('says how many are served where not all can be', () => {
    const lines = linesOf({
      networks: [networkFor(4)],
      overflow: 'expected',
      steps: [{ scale: { to: 6 } }],
    });
    expect(lines.at(-1)).to.equal(
      '   goal: cidr for sim-1…sim-6; but only cidr for 4 of them, as many as fit',
    );
  });
});
