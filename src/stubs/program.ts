import { reasonOf } from '../sim/base/errors.ts';

/** A program of the stubs, which is used from a command line. */
export interface Program<Options> {
  readonly name: string;
  readonly usage: string;
  /** Throws an Error that says what is wrong with the arguments. */
  readonly parseOptions: (args: readonly string[]) => Options;
  readonly run: (options: Options) => Promise<void>;
}

/** Runs it with this process's arguments. Wrong ones end it with 2, a failure with 1; the reason is one line. */
export async function runProgram<Options>(program: Program<Options>): Promise<void> {
  const { name, usage, parseOptions, run } = program;
  const fail = (error: unknown, exitCode: number): void => {
    console.error(`${name}: ${reasonOf(error)}`);
    process.exitCode = exitCode;
  };
  let options: Options;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    fail(error, 2);
    console.error(usage);
    return;
  }
  try {
    await run(options);
  } catch (error) {
    fail(error, 1);
    process.exit();
  }
}
