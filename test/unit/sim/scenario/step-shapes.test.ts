import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { liveAction, type ScenarioStep } from '../../../../src/sim/scenario/step-shapes.ts';
import { STEP_KINDS } from '../../../../src/sim/model/plan.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { loadSource } from '../../../helpers/planned-scenario.ts';

/** A scenario with ten nodes, a standing fault and pods, before the step. */
const withStep = (step: JsonObject) =>
  loadSource(
    multiNicScenario({
      steps: [
        { scale: { to: 10 } },
        { allocate: { podsPerNode: 2 } },
        { fault: { nodes: 1, what: 'hang' } },
        step,
      ],
    }),
  );

function stepOf(step: JsonObject): ScenarioStep | undefined {
  const result = withStep(step);
  return result.ok ? result.loaded.scenario.steps.at(-1) : undefined;
}
function problemsOf(step: JsonObject): readonly string[] {
  const result = withStep(step);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

const COMMON = { within: 120_000, onMiss: 'stop' };

const GOOD: readonly (readonly [JsonObject, JsonObject])[] = [
  [{ scale: { to: 3 } }, { kind: 'scale', to: 3, remove: 'node-first', during: [], ...COMMON }],
  [
    { allocate: {} },
    {
      kind: 'allocate',
      podsPerNode: 1,
      podObjects: 'none',
      arrival: 'constant',
      attempts: 6,
      ...COMMON,
    },
  ],
  [
    {
      allocate: {
        nodes: '1-3,5',
        podsPerNode: 4,
        podObjects: 'both',
        rate: 2.5,
        arrival: 'poisson',
        attempts: 1,
      },
    },
    {
      kind: 'allocate',
      nodes: [
        { from: 1, to: 3 },
        { from: 5, to: 5 },
      ],
      podsPerNode: 4,
      podObjects: 'both',
      rate: 2.5,
      arrival: 'poisson',
      attempts: 1,
      ...COMMON,
    },
  ],
  [{ deallocate: {} }, { kind: 'deallocate', arrival: 'constant', attempts: 6, ...COMMON }],
  [
    { taint: { nodes: 2 } },
    {
      kind: 'taint',
      nodes: [{ from: 2, to: 2 }],
      key: 'sim/taint',
      value: '',
      effect: 'NoSchedule',
      ...COMMON,
    },
  ],
  [
    { untaint: { nodes: '2', key: 'example.com/x', within: '5s', onMiss: 'continue' } },
    {
      kind: 'untaint',
      nodes: [{ from: 2, to: 2 }],
      key: 'example.com/x',
      within: 5000,
      onMiss: 'continue',
    },
  ],
  [
    { restart: { what: 'daemons', atATime: 4, downFor: '2s', times: 3, pause: '1s' } },
    {
      kind: 'restart',
      what: 'daemons',
      signal: 'SIGTERM',
      atATime: 4,
      downFor: 2000,
      times: 3,
      pause: 1000,
      probe: true,
      ...COMMON,
    },
  ],
  [
    { restart: { what: 'daemon', node: 10, probe: false, signal: 'SIGKILL' } },
    {
      kind: 'restart',
      what: 'daemon',
      node: 10,
      signal: 'SIGKILL',
      downFor: 0,
      times: 1,
      pause: 0,
      probe: false,
      ...COMMON,
    },
  ],
  [
    { heal: { nodes: '1-2', what: 'hang' } },
    { kind: 'heal', nodes: [{ from: 1, to: 2 }], what: 'hang', ...COMMON },
  ],
  [{ heal: {} }, { kind: 'heal', ...COMMON }],
  [
    { churn: { nodes: '1-10', for: '1m', every: '500ms' } },
    {
      kind: 'churn',
      nodes: [{ from: 1, to: 10 }],
      for: 60_000,
      every: 500,
      remove: 'node-first',
      ...COMMON,
    },
  ],
  [{ apply: { manifest: 'a.yaml' } }, { kind: 'apply', manifest: 'a.yaml', ...COMMON }],
  [{ delete: { manifest: 'a.yaml' } }, { kind: 'delete', manifest: 'a.yaml', ...COMMON }],
  [
    { fault: { nodes: 3, what: 'refuse' } },
    { kind: 'fault', nodes: [{ from: 3, to: 3 }], times: 1, fault: { kind: 'refuse' }, ...COMMON },
  ],
  [{ hold: { for: '3s' } }, { kind: 'hold', for: 3000, onMiss: 'stop' }],
];

const NODES = 'expected nodes such as 3, 1-10 or 1-4,7, each once, got';
const BAD: readonly (readonly [JsonObject, string])[] = [
  [{ allocate: { podsPerNode: 0 } }, 'allocate.podsPerNode: Too small: expected number to be >=1'],
  [{ allocate: { nodes: '1-' } }, `allocate.nodes: ${NODES} "1-"`],
  [{ allocate: { nodes: '1-3,2' } }, `allocate.nodes: ${NODES} "1-3,2"`],
  [{ allocate: { rate: 0 } }, 'allocate.rate: Too small: expected number to be >0'],
  [{ allocate: { attempts: 101 } }, 'allocate.attempts: Too big: expected number to be <=100'],
  [
    { allocate: { podObjects: 'all' } },
    'allocate.podObjects: expected one of "none"|"current"|"legacy"|"both"',
  ],
  [{ allocate: { arrival: 'uniform' } }, 'allocate.arrival: expected one of "constant"|"poisson"'],
  [
    { deallocate: { podObjects: 'both' } },
    'deallocate.podObjects: unknown key "podObjects", expected one of podsPerNode',
  ],
  [{ taint: {} }, 'taint.nodes: '],
  [
    { taint: { nodes: 1, key: 'a b' } },
    'taint.key: expected the key of a taint, such as example.com/maintenance',
  ],
  [
    { taint: { nodes: 1, effect: 'Never' } },
    'taint.effect: expected one of "NoSchedule"|"PreferNoSchedule"|"NoExecute"',
  ],
  [
    { untaint: { nodes: 1, effect: 'NoSchedule' } },
    'untaint.effect: unknown key "effect", expected one of nodes, key',
  ],
  [
    { restart: { what: 'etcd' } },
    'restart.what: expected one of "controller"|"daemons"|"daemon"|"kwok"',
  ],
  [{ restart: { what: 'daemon' } }, 'restart.node: is missing: whose daemon?'],
  [{ restart: { what: 'daemons', node: 1 } }, 'restart.node: goes with `what: daemon` only'],
  [{ restart: { what: 'kwok', atATime: 2 } }, 'restart.atATime: goes with `what: daemons` only'],
  [{ restart: { what: 'kwok', times: 0 } }, 'restart.times: Too small: expected number to be >=1'],
  [{ heal: { what: 'fire' } }, 'heal.what: expected one of "latency"|"hang"'],
  [{ churn: { nodes: 1 } }, 'churn.for: is missing, expected a duration such as 30s or 1m30s'],
  [
    { churn: { nodes: 1, for: '5s', every: '0s' } },
    'churn.every: expected a duration longer than 0s',
  ],
  [{ apply: {} }, 'apply.manifest: is missing, expected a string'],
  [
    { delete: { manifest: '' } },
    'delete.manifest: Too small: expected string to have >=1 characters',
  ],
];

describe('a step', () => {
  for (const [written, read] of GOOD)
    it(`is read from ${JSON.stringify(written)}`, () => {
      expect(problemsOf(written)).to.be.empty;
      expect(stepOf(written)).to.deep.equal(read);
    });

  it('of every kind is read here', () => {
    expect(new Set(GOOD.map(([, { kind }]) => kind))).to.deep.equal(new Set(STEP_KINDS));
  });

  for (const [written, start] of BAD)
    it(`is refused at its place: ${JSON.stringify(written)}`, () => {
      const problems = problemsOf(written);
      expect(problems).to.have.length(1);
      const problem = `steps[3].${start}`;
      expect(problems[0]?.slice(0, problem.length)).to.equal(problem);
    });
});

describe('what is done to a run in progress', () => {
  it('is written as a step of its scenario would be', () => {
    expect(
      liveAction.parse({ fault: { nodes: '1-2', what: 'error', status: 503, for: '5s' } }),
    ).to.deep.equal({
      fault: {
        nodes: [{ from: 1, to: 2 }],
        for: 5000,
        times: 1,
        fault: { kind: 'error', status: 503 },
      },
    });
    expect(liveAction.parse({ heal: {} })).to.deep.equal({ heal: {} });
  });

  for (const wrong of [
    {},
    { scale: { to: 3 } },
    { fault: { nodes: 1, what: 'hang' }, heal: {} },
    { fault: { nodes: 1, what: 'hang', within: '5s' } },
    { fault: { nodes: 1, what: 'missing-nic' } },
  ])
    it(`is nothing else: ${JSON.stringify(wrong)}`, () => {
      expect(liveAction.safeParse(wrong).success).to.be.false;
    });
});
