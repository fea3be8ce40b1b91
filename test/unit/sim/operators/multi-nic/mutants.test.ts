import { expect } from 'chai';
import { MULTI_NIC_MUTANTS } from '../../../../../src/sim/operators/multi-nic/mutants.ts';
import { MUTANTS } from '../../../../../src/stubs/controller/mutants.ts';
import { loadSource } from '../../../../helpers/planned-scenario.ts';
import { multiNicScenario } from '../../../../helpers/multi-nic-raw.ts';

describe('the mutants that a scenario may ask for', () => {
  it('are those that the reference controller has', () => {
    expect(MULTI_NIC_MUTANTS).to.deep.equal(MUTANTS.map(({ name }) => name));
  });

  it('are named when there is none of the given name', () => {
    const operator = { profile: 'multi-nic', controller: { reference: { mutant: 'lazy' } } };
    const result = loadSource(multiNicScenario({ operator }));
    expect(result.ok ? [] : result.problems.map(({ message }) => message)).to.have.length(1);
    expect(result).to.have.nested.property('problems[0].message').that.includes('duplicate-block');
  });
});
