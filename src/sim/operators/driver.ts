import type { ComponentHost } from '../controllers/cluster-component.ts';
import type { ControllerUnderTest } from '../controllers/controller.ts';
import type { Host } from '../host/host.ts';
import type { KubeClient } from '../kube/client.ts';

/** What a driver acts on. */
export interface DriverContext {
  readonly host: Host;
  readonly kube: KubeClient;
  readonly cluster: ComponentHost;
  readonly signal: AbortSignal;
}

/** The acting half of an operator: installs what it needs and provides its controller. */
export interface OperatorDriver {
  readonly profile: string;
  /** Installs definitions and objects. */
  install(context: DriverContext): Promise<void>;
  /** Starts the controller and waits until it is ready. Throws SIM_CONTROLLER_START. */
  startController(context: DriverContext): Promise<ControllerUnderTest>;
}
