import { expect } from 'chai';
import {
  ask,
  fault,
  holds,
  lease,
  OWN,
  type MilestoneCase,
} from '../../../../helpers/multi-nic-facts.ts';
import type { Fact } from '../../../../../src/sim/model/facts.ts';

/** An address on every interface. */
const leases = (owner: string): readonly Fact[] => [lease(owner, 0), lease(owner, 1)];

const CASES: readonly MilestoneCase[] = [
  [true, 'none, where nobody asked', OWN],
  [true, 'an address on every interface for each pod', [ask('a'), ...leases('a')]],
  [
    true,
    'an address on every interface for each of two pods',
    [ask('a'), ask('b'), ...leases('a'), ...leases('b')],
  ],
  [false, 'none, though a pod asked', [ask('a')]],
  [false, 'one interface without', [ask('a'), lease('a', 0)]],
  [
    false,
    'an address on another network',
    [ask('a'), lease('a', 0), lease('a', 1, { network: 'x' })],
  ],
  [false, 'one too many', [ask('a'), ...leases('a'), lease('a', 1, { address: '192.168.64.2' })]],
  [false, 'one that nobody asked for', leases('a')],
  [false, 'one of a pod that did not ask', [ask('a'), ...leases('a'), lease('b', 0)]],
  [false, 'those of another pod', [ask('a'), ...leases('b')]],
  [
    false,
    'two of one pod in place of one of each',
    [ask('a'), ask('b'), ...leases('a'), ...leases('a')],
  ],
  [false, 'what a pod of another node asked for', [ask('a', 'sim-2'), ...leases('a')]],
  [
    true,
    'as many as a block has room for, whoever got them',
    [ask('a'), ask('b'), ask('c'), ...leases('a'), ...leases('c')],
  ],
  [false, 'fewer than a block has room for', [ask('a'), ask('b'), ask('c'), ...leases('a')]],
  [true, 'none on a missing NIC', [fault('missing-nic', 'eth1'), ask('a'), lease('a', 0)]],
];

describe('the milestone of leases', () => {
  for (const [isHeld, what, facts] of CASES)
    it(`${isHeld ? 'holds' : 'does not hold'} with ${what}`, () => {
      expect(holds('leases', facts)).to.equal(isHeld);
    });
});
