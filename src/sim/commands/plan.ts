import { EXIT } from '../base/exit-codes.ts';
import { defineCommand } from './command.ts';
import { scenarioOptions, type ScenarioArgs } from './scenario-options.ts';

interface PlanArgs extends ScenarioArgs {
  readonly json: boolean;
}

export const planCommand = defineCommand<PlanArgs>({
  usage: 'plan <scenario>',
  describe: 'Print what a run would do, and whether the networks can hold it',
  build: (yargs) =>
    scenarioOptions(yargs).option('json', {
      type: 'boolean',
      default: false,
      describe: 'the plan as JSON',
    }),
  async run(host, args) {
    const [{ readScenario }, { formatPlan }] = await Promise.all([
      import('./read-scenario.ts'),
      import('../plan/format.ts'),
    ]);
    const { plan, loaded } = await readScenario(host, args);
    const lines = args.json
      ? [JSON.stringify(plan, null, 2)]
      : formatPlan(plan, loaded.scenario.operator.controller);
    for (const line of lines) host.terminal.out(line);
    return EXIT.pass;
  },
});
