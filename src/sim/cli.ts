import yargs from 'yargs';
import { SimError } from './base/errors.ts';
import { EXIT, EXIT_MEANING, type ExitCode } from './base/exit-codes.ts';
import { cleanCommand } from './commands/clean.ts';
import type { Command } from './commands/command.ts';
import { faultCommand } from './commands/fault.ts';
import { healCommand } from './commands/heal.ts';
import { doctorCommand } from './commands/doctor.ts';
import { judgeCommand } from './commands/judge.ts';
import { planCommand } from './commands/plan.ts';
import { printError } from './commands/print-error.ts';
import { STANDARD_INPUT } from './commands/scenario-options.ts';
import { runCommand } from './commands/run.ts';
import { usageError } from './commands/usage-error.ts';
import { validateCommand } from './commands/validate.ts';
import { watchCommand } from './commands/watch.ts';
import type { Host } from './host/host.ts';
import { simVersion } from './run/version.ts';

const COMMANDS: readonly Command<unknown>[] = [
  runCommand,
  planCommand,
  validateCommand,
  judgeCommand,
  faultCommand,
  healCommand,
  watchCommand,
  doctorCommand,
  cleanCommand,
];

/** Reads the command line, runs the command, prints what went wrong. Answers the exit code; never throws. */
export async function runCli(host: Host, args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.pass;
  try {
    const parser = yargs(args.map(keepDash))
      .scriptName('sim')
      .usage('$0 <command>\n\nHow does a CNI or IPAM operator converge as its cluster grows?')
      .epilogue(`exit codes:\n${exitCodeTable()}`)
      .demandCommand(1, 'name a command')
      .strict()
      .recommendCommands()
      .parserConfiguration({ 'dot-notation': false, 'populate--': true })
      .version(await simVersion(host))
      .wrap(Math.min(110, host.terminal.columns() || 110))
      .exitProcess(false)
      .showHelpOnFail(false)
      .fail((message, error) => {
        if (error instanceof Error && error.name !== 'YError') throw error;
        throw usageError(message, args, optionNames(parser));
      });
    for (const command of COMMANDS)
      parser.command(command.usage, command.describe, command.build, async (given) => {
        exitCode = await command.run(host, given);
      });
    await parser.parseAsync();
    return exitCode;
  } catch (error) {
    printError(host.terminal, error);
    return error instanceof SimError ? error.exitCode : EXIT.bug;
  }
}

/** Of the command that is being read, too. The types of yargs leave this method out. */
const optionNames = (parser: object): readonly string[] =>
  Object.keys((parser as { getOptions(): { readonly key: object } }).getOptions().key);

/** yargs takes a lone dash for an empty text. */
const keepDash = (arg: string): string => (arg === '-' ? STANDARD_INPUT : arg);

const exitCodeTable = (): string =>
  Object.entries(EXIT_MEANING)
    .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
    .join('\n');
