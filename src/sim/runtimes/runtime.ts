import type { Host } from '../host/host.ts';
import type { ProcessIdentity } from '../host/processes.ts';
import type { ClusterArguments } from '../model/operator-profile.ts';

/** What a cluster of this kind can do. Steps ask for these, never for a runtime's name. */
export interface Capabilities {
  /** Pods really run; otherwise every pod is a fake one and stubs are host processes. */
  readonly runsRealPods: boolean;
  /** The cluster is made for the run and goes with it. */
  readonly ownsCluster: boolean;
  /** The controller and the API server share the host's network, so loopback addresses reach each other. */
  readonly sharesHostNetwork: boolean;
  readonly canRestartControlPlane: boolean;
}

export interface ProvisionOptions {
  readonly runId: string;
  /** A directory of the run's own; the cluster's data goes there. */
  readonly workDirectory: string;
  readonly preset: 'realistic' | 'unlimited';
  readonly auditLog: boolean;
  /** The version the scenario asks for; undefined: whatever the runtime has. */
  readonly kubernetes: string | undefined;
  readonly clusterArguments: ClusterArguments;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
  /**
   * Queues the undoing of what is about to be done. Called before it is done. Processes need none: the run ends those
   * that it was told of, and those that carry its mark.
   */
  readonly undo: (title: string, work: () => Promise<void>) => void;
  /** Told of every process as soon as it is known, so that the run, or `sim clean`, can end it. */
  readonly onProcesses: (processes: readonly ProcessIdentity[]) => Promise<void>;
}

/** A part of the control plane that runs as a process of this machine. */
export interface Component {
  readonly name: string;
  readonly process: ProcessIdentity;
}

export interface HealthEndpoint {
  readonly path: string;
  readonly says?: string;
}

/** A cluster that is up. */
export interface ClusterHandle {
  readonly runtime: string;
  readonly capabilities: Capabilities;
  /** Of the cluster's administrator. Readable by its owner only. */
  readonly kubeconfigPath: string;
  readonly versions: Readonly<Record<string, string>>;
  /** As they are now: a restarted component has another process. */
  components(): readonly Component[];
  /** The files of the audit log, oldest first; empty when there is none. */
  auditLogs(): Promise<readonly string[]>;
  /** The last lines of a component's log. */
  logTail(component: string, lines: number): Promise<readonly string[]>;
  /** Copies all component logs into a directory. */
  collectLogs(directory: string): Promise<void>;
  /**
   * Waits until a health endpoint of a component answers 200, and its answer holds the text. Throws
   * SIM_CLUSTER_START when it does not in time.
   */
  waitHealthy(component: string, endpoint: HealthEndpoint, abort: AbortSignal): Promise<void>;
  /** Ends a component with the signal and starts it again. Resolves when it is healthy. */
  restartComponent(name: string, signal: 'SIGTERM' | 'SIGKILL', abort: AbortSignal): Promise<void>;
}

/** Where clusters come from. One file per implementation. */
export interface ClusterRuntime {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Undefined: does not apply here. Throws SimError: applies, but is broken. */
  probe(host: Host): Promise<{ readonly detail: string } | undefined>;
  /** Brings a cluster up and waits until it is ready. Throws SIM_CLUSTER_START, SIM_TOOLCHAIN, SIM_ADDRESSES. */
  provision(host: Host, options: ProvisionOptions): Promise<ClusterHandle>;
}
