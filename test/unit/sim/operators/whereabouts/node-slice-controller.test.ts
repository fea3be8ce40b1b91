import { expect } from 'chai';
import type { JsonObject } from '../../../../../src/sim/base/json.ts';
import { nodeSliceController } from '../../../../../src/sim/operators/whereabouts/node-slice-controller.ts';
import { loadSource, planned } from '../../../../helpers/planned-scenario.ts';
import { whereaboutsScenario } from '../../../../helpers/whereabouts-objects.ts';

/** How the controller of a scenario is started; as the scenario says, or by default. */
function startedBy(controller?: JsonObject | string) {
  const operator = { profile: 'whereabouts', ...(controller === undefined ? {} : { controller }) };
  return nodeSliceController(
    planned(whereaboutsScenario({ operator })).scenario.operator.controller,
  );
}

const ARGS = ['--kubeconfig', '{kubeconfig}'];
const ENV = { WHEREABOUTS_NAMESPACE: '{namespace}' };

describe('nodeSliceController', () => {
  it("starts the toolchain's when the scenario names none, and when it says so", () => {
    const expected = {
      kind: 'toolchain',
      command: '{nodeslicecontroller}',
      args: ARGS,
      env: ENV,
      readiness: { log: 'Started workers' },
    };
    expect(startedBy()).to.deep.include(expected);
    expect(startedBy('toolchain')).to.deep.include(expected);
  });

  it('starts a build of the user’s with the same arguments and environment', () => {
    expect(startedBy({ command: './nodeslicecontroller' })).to.deep.include({
      kind: 'command',
      command: './nodeslicecontroller',
      args: ARGS,
      env: ENV,
      readiness: { aliveFor: '2s' },
    });
  });

  it('leaves arguments and environment to the scenario as far as it has its own', () => {
    const args = ['--kubeconfig', '{kubeconfig}', '-v=4'];
    const own = { command: 'x', args, env: { GOGC: '50', WHEREABOUTS_NAMESPACE: 'mine' } };
    expect(startedBy(own)).to.deep.include({ args, env: own.env });
    expect(startedBy({ command: 'x', env: { GOGC: '50' } })?.env).to.deep.equal({
      ...ENV,
      GOGC: '50',
    });
  });

  it('knows no other kind, and the scenario says so before anything is started', () => {
    expect(nodeSliceController({ kind: 'cluster' })).to.equal(undefined);
    const operator = { profile: 'whereabouts', controller: 'reference' };
    const result = loadSource(whereaboutsScenario({ operator }));
    expect(result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`))
      .to //
      .deep.equal(['operator.controller: expected toolchain or { command: … }']);
  });
});
