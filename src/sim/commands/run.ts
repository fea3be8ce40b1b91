import { RUNTIME_NAMES } from '../scenario/runtime-names.ts';
import { defineCommand } from './command.ts';
import { scenarioOptions, type ScenarioArgs } from './scenario-options.ts';

interface RunArgs extends ScenarioArgs {
  readonly output: string | undefined;
  readonly runtime: string | undefined;
  readonly keepCluster: boolean;
  readonly retainOnFailure: boolean;
  readonly quiet: boolean;
}

export const runCommand = defineCommand<RunArgs>({
  usage: 'run <scenario>',
  describe: 'Run a scenario, judge it, and write a report',
  build: (yargs) =>
    scenarioOptions(yargs)
      .option('output', {
        type: 'string',
        describe: 'the run directory; default: runs/<time>-<scenario>-<id>',
      })
      .option('runtime', {
        choices: RUNTIME_NAMES,
        describe:
          'where the cluster comes from; default: the scenario says, or the first that works',
      })
      .option('keep-cluster', {
        type: 'boolean',
        default: false,
        describe: 'leave the cluster as it is when the run is over',
      })
      .option('retain-on-failure', {
        type: 'boolean',
        default: false,
        describe: 'the same, but only when the run did not pass',
      })
      .option('quiet', {
        type: 'boolean',
        default: false,
        describe: 'no progress, only the result',
      }),
  async run(host, args) {
    const [{ readScenario }, { runAndPrint }] = await Promise.all([
      import('./read-scenario.ts'),
      import('./run-and-print.ts'),
    ]);
    const planned = await readScenario(host, args);
    return runAndPrint(host, {
      ...planned,
      runtime: args.runtime,
      output: args.output,
      quiet: args.quiet,
      keepCluster: args.keepCluster ? 'always' : args.retainOnFailure ? 'on-failure' : 'never',
    });
  },
});
