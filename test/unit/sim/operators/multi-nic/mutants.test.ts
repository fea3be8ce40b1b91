import { expect } from 'chai';
import {
  MULTI_NIC_DAEMON_MUTANTS,
  MULTI_NIC_MUTANTS,
} from '../../../../../src/sim/operators/multi-nic/mutants.ts';
import { MUTANTS } from '../../../../../src/stubs/controller/mutants.ts';
import { DAEMON_MUTANTS } from '../../../../../src/stubs/daemon/mutants.ts';
import { loadSource, planned } from '../../../../helpers/planned-scenario.ts';
import { multiNicScenario } from '../../../../helpers/multi-nic-raw.ts';

describe('the mutants that a scenario may ask for', () => {
  it('are those that the reference controller has', () => {
    expect(MULTI_NIC_MUTANTS).to.deep.equal(MUTANTS.map(({ name }) => name));
  });

  it('are those that the daemon stub has', () => {
    expect(MULTI_NIC_DAEMON_MUTANTS).to.deep.equal(DAEMON_MUTANTS.map(({ name }) => name));
  });

  it('are known by one name each, whichever program has them', () => {
    const names = [...MULTI_NIC_MUTANTS, ...MULTI_NIC_DAEMON_MUTANTS];
    expect(new Set(names).size).to.equal(names.length);
  });

  it('reach the plan of the daemons', () => {
    const daemonMutant = 'wrong-index';
    const operator = { profile: 'multi-nic', controller: 'reference', daemonMutant };
    const { model } = planned(multiNicScenario({ operator }));
    expect(model.daemons).to.include({ mutant: daemonMutant });
  });

  it('are named when there is none of the given name', () => {
    const operator = { profile: 'multi-nic', controller: { reference: { mutant: 'lazy' } } };
    const result = loadSource(multiNicScenario({ operator }));
    expect(result.ok ? [] : result.problems.map(({ message }) => message)).to.have.length(1);
    expect(result).to.have.nested.property('problems[0].message').that.includes('duplicate-block');
  });
});
