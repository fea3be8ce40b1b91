import { SimError } from '../base/errors.ts';
import { EXIT, type ExitCode } from '../base/exit-codes.ts';
import { count } from '../base/text.ts';
import type { Host } from '../host/host.ts';
import { defineCommand } from './command.ts';
import { printError } from './print-error.ts';
import { scenarioOptions, type ScenarioArgs } from './scenario-options.ts';

interface ValidateArgs extends Omit<ScenarioArgs, 'scenario'> {
  readonly scenario: readonly string[];
}

export const validateCommand = defineCommand<ValidateArgs>({
  usage: 'validate <scenario..>',
  describe: 'Check scenarios, and print every problem with its place',
  build: scenarioOptions,
  async run(host, { scenario: scenarios, ...args }) {
    const exitCodes: ExitCode[] = [];
    for (const scenario of scenarios) exitCodes.push(await validate(host, { ...args, scenario }));
    return exitCodes.find((code) => code !== EXIT.pass) ?? EXIT.pass;
  },
});

/** Prints the result itself: what is wrong with one scenario must not hide the next. */
async function validate(host: Host, args: ScenarioArgs): Promise<ExitCode> {
  const { readScenario } = await import('./read-scenario.ts');
  try {
    const { plan, path } = await readScenario(host, args);
    host.terminal.out(
      `${path}: valid, ${count(plan.steps.length, 'step')}, at most ${count(plan.peakNodes, 'node')}`,
    );
    return EXIT.pass;
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    printError(host.terminal, error);
    return error.exitCode;
  }
}
