import type { Argv } from 'yargs';

/** The scenario's name when it is given as a dash. */
export const STANDARD_INPUT = '<stdin>';

/** The options of every command that reads a scenario. */
export interface ScenarioArgs {
  readonly scenario: string;
  readonly set: readonly string[];
  readonly seed: string | undefined;
  readonly controller: string | undefined;
  readonly inCluster: boolean | undefined;
  /** What follows a lone `--`: the arguments of the controller. */
  readonly '--'?: readonly (string | number)[];
}

export const scenarioOptions = (yargs: Argv): Argv =>
  yargs
    .positional('scenario', {
      type: 'string',
      demandOption: true,
      describe: 'a file, the name of a scenario that comes with sim, or - for standard input',
    })
    .option('set', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as readonly string[],
      describe: 'overrides a value: path=value, for example steps[0].scale.to=50',
    })
    .option('seed', {
      type: 'string', // so that a message can say what was given
      requiresArg: true,
      describe: 'seed of everything random',
    })
    .option('controller', {
      type: 'string',
      describe:
        'the controller, in place of the one that the scenario names: a program, whose arguments follow --, or `reference`',
    })
    .option('in-cluster', {
      type: 'boolean',
      describe: 'your controller finds token, certificate and namespace where a pod would',
      implies: 'controller',
    });
