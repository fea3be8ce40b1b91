import type { ComponentHost } from '../controllers/cluster-component.ts';
import type { ControllerUnderTest } from '../controllers/controller.ts';
import type { ControllerContext } from '../controllers/start-controller.ts';
import type { ControllerSpec } from '../model/controller-spec.ts';

/** What a driver acts on. */
export interface DriverContext extends ControllerContext {
  readonly cluster: ComponentHost;
  readonly controller: ControllerSpec;
  /** The scenario's networks and `operator`, of the shapes that the profile declares. */
  readonly networks: readonly unknown[];
  readonly options: unknown;
}

/** The acting half of an operator: installs what it needs and provides its controller. */
export interface OperatorDriver {
  readonly profile: string;
  /** Installs definitions and objects. */
  install(context: DriverContext): Promise<void>;
  /** Starts the controller and waits until it is ready. Throws SIM_CONTROLLER_START. */
  startController(context: DriverContext): Promise<ControllerUnderTest>;
}
