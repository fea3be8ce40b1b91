import { EXIT, type ExitCode } from './exit-codes.ts';

interface ErrorRow {
  readonly exitCode: ExitCode;
  readonly meaning: string;
}

/** Every error code that sim can print. `docs/errors.md` is generated from this table. */
export const ERRORS = {
  SIM_USAGE: {
    exitCode: EXIT.usage,
    meaning: 'The command line is wrong: an unknown flag, a missing argument or a bad value.',
  },
  SIM_SCENARIO: {
    exitCode: EXIT.usage,
    meaning: 'The scenario cannot be read or has problems. Each one is printed with its place.',
  },
  SIM_CAPACITY: {
    exitCode: EXIT.usage,
    meaning: 'The networks cannot hold what the steps ask for. The arithmetic is printed.',
  },
  SIM_OUTPUT: {
    exitCode: EXIT.usage,
    meaning: 'The output directory cannot be used: it holds files that sim did not write.',
  },
  SIM_UNSUPPORTED: {
    exitCode: EXIT.usage,
    meaning: 'The scenario asks for something that the chosen cluster runtime cannot do.',
  },
  SIM_MANIFEST: {
    exitCode: EXIT.usage,
    meaning: 'A manifest of the scenario cannot be read, or the cluster refuses what it says.',
  },
  SIM_RECORDING: {
    exitCode: EXIT.usage,
    meaning: 'The recording given to `sim judge` is missing, cut off or not a recording.',
  },
  SIM_TOOLCHAIN: {
    exitCode: EXIT.error,
    meaning: 'A program that the run needs could not be found, downloaded or built.',
  },
  SIM_RUNTIME: {
    exitCode: EXIT.error,
    meaning: 'No cluster runtime can be used on this machine. Every reason is printed.',
  },
  SIM_CLUSTER_START: {
    exitCode: EXIT.error,
    meaning: 'The cluster did not come up.',
  },
  SIM_CLUSTER_LOST: {
    exitCode: EXIT.error,
    meaning: 'A part of the cluster that is not under test ended, or stopped answering.',
  },
  SIM_CONTROLLER_START: {
    exitCode: EXIT.error,
    meaning: 'The controller under test is not there, cannot be started, or never became ready.',
  },
  SIM_LIMITS: {
    exitCode: EXIT.error,
    meaning: 'This machine does not let sim limit the CPU time or the memory of the controller.',
  },
  SIM_ADDRESSES: {
    exitCode: EXIT.error,
    meaning: 'No free loopback network, port or address could be taken for the run.',
  },
  SIM_RECORDING_WRITE: {
    exitCode: EXIT.error,
    meaning: 'The recording or a report could not be written, for example on a full disk.',
  },
  SIM_API: {
    exitCode: EXIT.error,
    meaning: 'A request to the Kubernetes API failed and could not be repeated.',
  },
  SIM_COMMAND: {
    exitCode: EXIT.error,
    meaning: 'A program that sim started failed or could not be started.',
  },
  SIM_LOCK: {
    exitCode: EXIT.error,
    meaning: 'A lock that another run of sim holds was not given up in time.',
  },
  SIM_TIMEOUT: {
    exitCode: EXIT.error,
    meaning: 'Something that sim waited for did not happen in time.',
  },
  SIM_CLEAN: {
    exitCode: EXIT.error,
    meaning: '`sim clean` could not remove everything that a dead run left.',
  },
  SIM_INTERRUPTED: {
    exitCode: EXIT.interrupted,
    meaning: 'The run was interrupted by a signal before it had begun to record.',
  },
  SIM_BUG: {
    exitCode: EXIT.bug,
    meaning: 'Something happened that sim believed impossible. Please report it.',
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorCode = keyof typeof ERRORS;
