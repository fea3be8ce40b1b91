import type { ProcessIdentity } from '../host/processes.ts';

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
}
