import { expect } from 'chai';
import { cniPlan } from '../../../../src/stubs/cni/contract.ts';
import { reasonOf } from '../../../../src/sim/base/errors.ts';

const POD = {
  node: 'sim-1',
  address: '127.64.0.1:11000',
  namespace: 'ns',
  pod: 'a',
  networks: [{ name: 'net', masterNets: ['10.1.0.0/16'] }],
};
const PLAN = {
  verb: 'allocate',
  seed: 1,
  arrival: { kind: 'poisson', perSecond: 0.5 },
  attempts: 3,
  pauseMs: 0,
  timeoutMs: 5000,
  podObjects: { annotation: 'both', labels: { 'sim/run': 'x' } },
  pods: [POD],
};

describe('the plan of a CNI stub', () => {
  it('is taken as it is written', () => {
    for (const plan of [
      PLAN,
      { ...PLAN, podObjects: null, arrival: { kind: 'at-once', concurrency: 4 } },
      { ...PLAN, verb: 'deallocate', pods: [] },
    ])
      expect(cniPlan.parse(plan)).to.deep.equal(plan);
  });

  for (const [title, plan, problem] of [
    ['another verb', { ...PLAN, verb: 'release' }, /^verb: /],
    ['no seed', { ...PLAN, seed: undefined }, /^seed: /],
    ['no attempt', { ...PLAN, attempts: 0 }, /^attempts: /],
    ['half an attempt', { ...PLAN, attempts: 1.5 }, /^attempts: /],
    ['a pause below zero', { ...PLAN, pauseMs: -1 }, /^pauseMs: /],
    ['arrivals of another kind', { ...PLAN, arrival: { kind: 'burst' } }, /^arrival\.kind: /],
    [
      'a rate of nothing',
      { ...PLAN, arrival: { kind: 'constant', perSecond: 0 } },
      /^arrival\.perSecond: /,
    ],
    ['nobody at a time', { ...PLAN, arrival: { kind: 'at-once' } }, /^arrival\.concurrency: /],
    [
      'another annotation',
      { ...PLAN, podObjects: { annotation: 'none', labels: {} } },
      /^podObjects\.annotation: /,
    ],
    ['nothing about objects', { ...PLAN, podObjects: undefined }, /^podObjects: /],
    ['a pod without networks', { ...PLAN, pods: [{ ...POD, networks: [] }] }, /networks: /],
    ['a pod without a name', { ...PLAN, pods: [{ ...POD, pod: '' }] }, /^pods\[0\]\.pod: /],
  ] as const)
    it(`may not have ${title}`, () => {
      const { error } = cniPlan.safeParse(plan);
      expect(reasonOf(error)).to.match(problem);
    });
});
