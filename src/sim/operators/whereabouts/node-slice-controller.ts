import type { ControllerCommand, ControllerSpec } from '../../model/controller-spec.ts';

/** It takes no kubeconfig from KUBECONFIG, has no port to ask, and says in its log when it has begun. */
const OF_TOOLCHAIN: ControllerCommand = {
  kind: 'toolchain',
  command: '{nodeslicecontroller}',
  args: ['--kubeconfig', '{kubeconfig}'],
  env: { WHEREABOUTS_NAMESPACE: '{namespace}' },
  readiness: { log: 'Started workers' },
  inCluster: false,
};

/**
 * How the controller is started: the toolchain's, or a build of the user's with the same arguments and environment
 * as far as the scenario does not say otherwise. Undefined for kinds that this operator has not.
 */
export function nodeSliceController(spec: ControllerSpec): ControllerCommand | undefined {
  if (spec.kind === 'toolchain') return OF_TOOLCHAIN;
  if (spec.kind !== 'command') return undefined;
  return {
    ...spec,
    args: spec.args.length > 0 ? spec.args : OF_TOOLCHAIN.args,
    env: { ...OF_TOOLCHAIN.env, ...spec.env },
  };
}
