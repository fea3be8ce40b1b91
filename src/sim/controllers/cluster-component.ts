import { SimError } from '../base/errors.ts';
import type { ProcessIdentity } from '../host/processes.ts';
import type { ControllerDescription, ControllerUnderTest } from './controller.ts';

/** The part of a cluster's handle that a controller in it needs. */
export interface ComponentHost {
  readonly capabilities: { readonly canRestartControlPlane: boolean };
  components(): readonly { readonly name: string; readonly process: ProcessIdentity }[];
  logTail(component: string, lines: number): Promise<readonly string[]>;
  waitHealthy(
    component: string,
    endpoint: { readonly path: string; readonly says?: string },
    abort: AbortSignal,
  ): Promise<void>;
  restartComponent(name: string, signal: 'SIGTERM' | 'SIGKILL', abort: AbortSignal): Promise<void>;
}

/** A component of the cluster's own control plane as the controller under test. */
export function clusterComponent(
  cluster: ComponentHost,
  component: string,
  identity: Pick<ControllerDescription, 'identity' | 'flowSchema'>,
): ControllerUnderTest {
  const find = (): ProcessIdentity | undefined =>
    cluster.components().find(({ name }) => name === component)?.process;
  return {
    description: {
      kind: 'cluster',
      reference: false,
      command: find()?.command.split(' ') ?? null,
      ...identity,
      limits: null,
    },
    process: find,
    logTail: (lines) => cluster.logTail(component, lines),
    restart(signal, abort) {
      if (!cluster.capabilities.canRestartControlPlane)
        throw new SimError('SIM_UNSUPPORTED', `this cluster cannot restart its ${component}`, {
          hint: 'use the kwokctl runtime for scenarios that restart the controller',
        });
      return cluster.restartComponent(component, signal, abort);
    },
  };
}
