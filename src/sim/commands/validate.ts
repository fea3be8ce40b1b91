import { EXIT } from '../base/exit-codes.ts';
import { count } from '../base/text.ts';
import { defineCommand } from './command.ts';
import { scenarioOptions, type ScenarioArgs } from './scenario-options.ts';

export const validateCommand = defineCommand<ScenarioArgs>({
  usage: 'validate <scenario>',
  describe: 'Check a scenario, and print every problem with its place',
  build: scenarioOptions,
  async run(host, args) {
    const { readScenario } = await import('./read-scenario.ts');
    const { plan, path } = await readScenario(host, args);
    host.terminal.out(
      `${path}: valid, ${count(plan.steps.length, 'step')}, at most ${count(plan.peakNodes, 'node')}`,
    );
    return EXIT.pass;
  },
});
