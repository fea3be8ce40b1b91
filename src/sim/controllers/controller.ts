import type { Throttling } from '../host/cgroups.ts';
import type { ProcessExit, ProcessIdentity } from '../host/processes.ts';
import type { ControllerLimits } from '../model/controller-spec.ts';

/** What the report says about the controller under test. */
export interface ControllerDescription {
  readonly kind: string;
  /** Whether it is the one that comes with sim. */
  readonly reference: boolean;
  readonly command: readonly string[] | null;
  /** The user that the API server sees. */
  readonly identity: string | null;
  /** The flow schema of its requests; null where Priority and Fairness is off or it cannot be known. */
  readonly flowSchema: string | null;
  /** Null where it may use what the machine has. */
  readonly limits: ControllerLimits | null;
}

/** The operator's process, running. */
export interface ControllerUnderTest {
  readonly description: ControllerDescription;
  /** Versions of its programs by name, as far as sim knows them. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Undefined where it is no process of this machine. */
  process(): ProcessIdentity | undefined;
  /** The end of its log, for errors. */
  logTail(lines: number): Promise<readonly string[]>;
  /** Ends it with the signal, starts it again and waits until it is ready. */
  restart(signal: 'SIGTERM' | 'SIGKILL', abort: AbortSignal): Promise<void>;
  /** What only a process that sim started itself can be asked for. */
  readonly own?: OwnProcess;
}

/** A controller that is a child of sim. */
export interface OwnProcess {
  /** How the process ended; undefined while it runs. */
  lastExit(): ProcessExit | undefined;
  /**
   * Starts it again after it has ended by itself, and does not wait until it is ready. Answers undefined when there is
   * another process already, or soon will be: a step restarts it. Throws SIM_CONTROLLER_START.
   */
  startAgain(ended: ProcessIdentity): Promise<ProcessIdentity | undefined>;
  /** How long the process has been running, or had been when it ended just now. */
  ageMs(): number;
  /** Undefined where its CPU time is not limited. */
  throttling(): Promise<Throttling | undefined>;
}
