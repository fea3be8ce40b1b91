import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { PlannedStep } from '../../../../src/sim/model/plan.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { planned } from '../../../helpers/planned-scenario.ts';

const stepsOf = (...steps: readonly JsonObject[]): readonly PlannedStep[] =>
  planned(multiNicScenario({ steps: [{ scale: { to: 5 } }, ...steps] })).plan.steps.slice(1);
const lastOf = (...steps: readonly JsonObject[]): PlannedStep =>
  stepsOf(...steps).at(-1) ?? expect.fail('the plan has no step');

const nodes = [{ from: 2, to: 3 }];
const hang = { kind: 'fault', nodes, fault: { kind: 'hang' } };
const heal = { kind: 'heal', nodes, what: 'hang' };
const rest = { kind: 'hold', forMs: 3000 };

describe('a fault', () => {
  it('that stays is not waited for', () => {
    const step = lastOf({ fault: { nodes: '2-3', what: 'hang' } });
    expect(step.actions).to.deep.equal([hang]);
    expect(step).to.include({ awaitsNothing: true, withinMs: 120_000 });
    expect(step.samples).to.be.empty;
  });

  it('that goes by itself is healed by the step, which waits until everything holds', () => {
    const step = lastOf({ fault: { nodes: '2-3', what: 'hang', for: '3s', within: '10s' } });
    expect(step.actions).to.deep.equal([hang, rest, heal]);
    expect(step.awaitsNothing).to.be.undefined;
    expect(step.samples).to.deep.equal(['recovery']);
  });

  it('comes several times, with a rest between them that is as long', () => {
    const step = lastOf({ fault: { nodes: '2-3', what: 'hang', for: '3s', times: 3 } });
    const once = [hang, rest, heal];
    expect(step.actions).to.deep.equal([...once, rest, ...once, rest, ...once]);
  });

  it('is bounded from the end of what it does on purpose', () => {
    const step = lastOf({ fault: { nodes: 1, what: 'hang', for: '3s', times: 3, within: '10s' } });
    expect(step).to.include({ withinMs: 10_000, boundsFromEnd: true });
  });

  it('that is over at once leaves nothing to heal', () => {
    const step = lastOf({ fault: { nodes: '2-3', what: 'drop' } });
    expect(step.actions).to.deep.equal([{ kind: 'fault', nodes, fault: { kind: 'drop' } }]);
    expect(step.awaitsNothing).to.be.undefined;
  });
});

describe('a heal', () => {
  const standing = [
    { fault: { nodes: '1-2', what: 'hang' } },
    { fault: { nodes: '4', what: 'missing-nic', interface: 'eth1' } },
    { fault: { nodes: 5, what: 'hang', for: '1s' } },
  ];
  const healed = (...steps: readonly JsonObject[]) => lastOf(...standing, ...steps).actions;

  it('ends all faults that stand, on the nodes that have one', () => {
    expect(healed({ heal: {} })).to.deep.equal([
      {
        kind: 'heal',
        nodes: [
          { from: 1, to: 2 },
          { from: 4, to: 4 },
        ],
        what: undefined,
      },
    ]);
  });

  it('ends those of a kind, and leaves the others standing', () => {
    const hangs = { heal: { what: 'hang' } };
    expect(healed(hangs)).to.deep.equal([
      { kind: 'heal', nodes: [{ from: 1, to: 2 }], what: 'hang' },
    ]);
    expect(healed(hangs, { heal: {} })).to.deep.equal([
      { kind: 'heal', nodes: [{ from: 4, to: 4 }], what: undefined },
    ]);
  });

  it('ends those of the nodes that it names, and others stand until a later one', () => {
    expect(healed({ heal: { nodes: 1 } }, { heal: { what: 'hang' } })).to.deep.equal([
      { kind: 'heal', nodes: [{ from: 1, to: 2 }], what: 'hang' },
    ]);
  });

  it('waits until everything holds: the recovery', () => {
    const step = lastOf(...standing, { heal: {} });
    expect(step.awaitsNothing).to.be.undefined;
    expect(step.samples).to.deep.equal(['recovery']);
  });
});
