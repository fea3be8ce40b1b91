import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { PlannedAction, PlannedStep } from '../../../../src/sim/model/plan.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { planned } from '../../../helpers/planned-scenario.ts';

/** The steps after three nodes have come. */
const stepsOf = (...steps: readonly JsonObject[]): readonly PlannedStep[] =>
  planned(multiNicScenario({ steps: [{ scale: { to: 3 } }, ...steps] })).plan.steps.slice(1);

/** The pods of each action, as `NODES:PODS`. */
const worksOf = (step: PlannedStep | undefined): readonly string[] =>
  (step?.actions ?? []).flatMap((action) =>
    'work' in action
      ? [
          `${action.kind} ` +
            action.work
              .map(({ nodes, pods }) => `${nodes.from}-${nodes.to}:${pods.from}-${pods.to}`)
              .join(' '),
        ]
      : [],
  );
const lastOf = (...steps: readonly JsonObject[]): readonly string[] =>
  worksOf(stepsOf(...steps).at(-1));

describe('a step that asks for addresses', () => {
  it('asks for so many pods of every node, numbered from one', () => {
    const [step] = stepsOf({ allocate: { podsPerNode: 5, within: '7s' } });
    expect(step?.actions).to.deep.equal([
      {
        kind: 'allocate',
        work: [{ nodes: { from: 1, to: 3 }, pods: { from: 1, to: 5 } }],
        podObjects: 'none',
        attempts: 6,
        arrival: { kind: 'at-once' },
      },
    ] satisfies PlannedAction[]);
    expect(step).to.deep.include({ nodesBefore: 3, nodesAfter: 3, withinMs: 7000, settleMs: 2000 });
    expect(step?.samples).to.deep.equal(['leases', 'allocate']);
  });

  it('awaits leases, as every step does of a scenario in which somebody asks', () => {
    const steps = planned(multiNicScenario({ steps: [{ scale: { to: 1 } }, { allocate: {} }] }));
    for (const { goal } of steps.plan.steps) expect(goal.milestones.at(-1)).to.equal('leases');
    const without = planned(multiNicScenario());
    expect(without.plan.steps[0]?.goal.milestones).not.to.include('leases');
  });

  it('goes on where the step before has stopped', () => {
    const allocate = { allocate: { podsPerNode: 2 } };
    expect(lastOf(allocate, allocate)).to.deep.equal(['allocate 1-3:3-4']);
    expect(lastOf(allocate, { allocate: { nodes: 2, podsPerNode: 3 } }, allocate)).to.deep.equal([
      'allocate 1-1:3-4 2-2:6-7 3-3:3-4',
    ]);
  });

  it('comes at a rate, evenly or at random', () => {
    const arrivals = stepsOf(
      { allocate: { rate: 50 } },
      { allocate: { rate: 0.5, arrival: 'poisson' } },
      { allocate: { arrival: 'poisson' } },
    ).map(({ actions: [action] }) => action?.kind === 'allocate' && action.arrival);
    expect(arrivals).to.deep.equal([
      { kind: 'constant', perSecond: 50 },
      { kind: 'poisson', perSecond: 0.5 },
      { kind: 'at-once' },
    ]);
  });

  it('asks of nodes that came later, from their first pod on', () => {
    expect(
      lastOf({ allocate: {} }, { scale: { to: 4 } }, { allocate: { podsPerNode: 2 } }),
    ).to.deep.equal(['allocate 1-3:2-3 4-4:1-2']);
  });

  it('begins anew for nodes that were away', () => {
    expect(
      lastOf({ allocate: {} }, { scale: { to: 1 } }, { scale: { to: 3 } }, { allocate: {} }),
    ).to.deep.equal(['allocate 1-1:2-2 2-3:1-1']);
  });

  it('is refused with the arithmetic where a block has too few addresses', () => {
    const steps = (pods: number): JsonObject =>
      multiNicScenario({
        steps: [
          { scale: { to: 2 } },
          { allocate: { podsPerNode: 50 } },
          { allocate: { nodes: 2, podsPerNode: pods } },
        ],
      });
    expect(() => planned(steps(12))).to.throw(
      'network "net" is too small: 62 pods on a node need 62 addresses of each of its blocks; ' +
        'a /26 gives 2^6 - 3 = 61; 1 address short; lower hostBlock or interfaceBlock, or ask ' +
        'for fewer pods, or say `overflow: expected`',
    );
    expect(planned(steps(11)).plan.capacity.map(({ needed, of }) => [needed, of])).to.deep.equal([
      [2, undefined],
      [2, undefined],
      [61, 'address'],
    ]);
    expect(() => planned({ ...steps(500), overflow: 'expected' })).not.to.throw();
  });

  it('counts the most pods that a node has at one time, not all that it ever had', () => {
    const steps = [
      { scale: { to: 1 } },
      { allocate: { podsPerNode: 40 } },
      { deallocate: {} },
      { allocate: { podsPerNode: 41 } },
    ];
    const { plan } = planned(multiNicScenario({ steps }));
    expect(plan.capacity.at(-1)?.needed).to.equal(41);
  });
});

describe('a step that gives addresses back', () => {
  const five = { allocate: { podsPerNode: 5 } };

  it('gives back all, of every node', () => {
    expect(lastOf(five, { deallocate: {} })).to.deep.equal(['deallocate 1-3:1-5']);
    expect(stepsOf(five, { deallocate: {} })[1]?.samples).to.deep.equal(['leases', 'deallocate']);
  });

  it('gives back the oldest first, and the rest another time', () => {
    const two = { deallocate: { podsPerNode: 2 } };
    expect(lastOf(five, two)).to.deep.equal(['deallocate 1-3:1-2']);
    expect(lastOf(five, two, two)).to.deep.equal(['deallocate 1-3:3-4']);
    expect(lastOf(five, two, two, two)).to.deep.equal(['deallocate 1-3:5-5']);
  });

  it('gives nothing back that was not asked for', () => {
    expect(lastOf({ allocate: { nodes: 2 } }, { deallocate: {} })).to.deep.equal([
      'deallocate 2-2:1-1',
    ]);
    expect(stepsOf(five, { deallocate: {} }, { deallocate: {} })[2]?.actions).to.be.empty;
  });

  it('gives back nothing of nodes that are gone: their pods went with them', () => {
    expect(lastOf(five, { scale: { to: 1 } }, { deallocate: {} })).to.deep.equal([
      'deallocate 1-1:1-5',
    ]);
  });

  it('never gives a number twice while a pod still has it', () => {
    const two = { deallocate: { podsPerNode: 2 } };
    expect(lastOf(five, two, { allocate: {} })).to.deep.equal(['allocate 1-3:6-6']);
  });

  it('takes pods with objects apart from those without', () => {
    const steps = [
      { allocate: { podsPerNode: 2 } },
      { allocate: { podsPerNode: 2, podObjects: 'both' } },
      { deallocate: { podsPerNode: 3, rate: 9 } },
    ];
    const step = stepsOf(...steps).at(-1);
    expect(worksOf(step)).to.deep.equal(['deallocate 1-3:1-2', 'deallocate 1-3:3-3']);
    expect(
      step?.actions.map((action) => 'podObjects' in action && action.podObjects),
    ).to.deep.equal(['none', 'both']);
  });
});

describe('a taint', () => {
  const pods = [
    { allocate: { podsPerNode: 2 } },
    { allocate: { podsPerNode: 1, podObjects: 'current' } },
  ];
  const evicting = { taint: { nodes: '2-3', effect: 'NoExecute', key: 'k', value: 'v' } };

  it('has what evicted pods held given back: those that have objects', () => {
    const step = stepsOf(...pods, evicting).at(-1);
    expect(step?.actions).to.deep.equal([
      {
        kind: 'taint',
        nodes: [{ from: 2, to: 3 }],
        taint: { key: 'k', value: 'v', effect: 'NoExecute' },
      },
      {
        kind: 'release-evicted',
        work: [{ nodes: { from: 2, to: 3 }, pods: { from: 3, to: 3 } }],
        podObjects: 'current',
        attempts: 6,
        arrival: { kind: 'at-once' },
      },
    ] satisfies PlannedAction[]);
  });

  it('leaves nothing of them for a later step', () => {
    expect(lastOf(...pods, evicting, { deallocate: {} })).to.deep.equal([
      'deallocate 1-3:1-2',
      'deallocate 1-1:3-3',
    ]);
  });

  it('evicts nobody by another effect', () => {
    for (const effect of ['NoSchedule', 'PreferNoSchedule'])
      expect(lastOf(...pods, { taint: { nodes: 1, effect } })).to.be.empty;
  });

  it('is taken away by its key', () => {
    expect(stepsOf({ untaint: { nodes: 2, key: 'k' } })[0]?.actions).to.deep.equal([
      { kind: 'untaint', nodes: [{ from: 2, to: 2 }], key: 'k' },
    ]);
  });
});
