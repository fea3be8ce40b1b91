import type { Argv } from 'yargs';
import type { ExitCode } from '../base/exit-codes.ts';
import type { Host } from '../host/host.ts';

/** One verb of the command line. The work is loaded when it is asked for: `sim --help` pays for none of it. */
export interface Command<A> {
  readonly usage: string;
  readonly describe: string;
  /** Declares the arguments that `A` describes. */
  readonly build: (yargs: Argv) => unknown;
  /** Answers the exit code. Throws SimError. */
  readonly run: (host: Host, args: A) => Promise<ExitCode>;
}

/** Keeps the types of the arguments inside the command. */
export const defineCommand = <A>(command: Command<A>): Command<unknown> =>
  command as unknown as Command<unknown>;
