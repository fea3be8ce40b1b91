import { EXIT } from '../base/exit-codes.ts';
import { FAULT_KINDS } from '../model/fault.ts';
import { defineCommand } from './command.ts';
import { RUN } from './fault.ts';

interface HealArgs {
  readonly run: string;
  readonly what: string | undefined;
  readonly nodes: string | undefined;
}

export const healCommand = defineCommand<HealArgs>({
  usage: 'heal <run> [what]',
  describe: 'End faults in a run that is in progress',
  build: (yargs) =>
    yargs
      .positional('run', { type: 'string', demandOption: true, describe: RUN })
      .positional('what', { choices: FAULT_KINDS, describe: 'the fault; default: all' })
      .option('nodes', { type: 'string', describe: 'which nodes: 3, 1-10, 1-4,7; default: all' }),
  async run(host, { run, what, nodes }) {
    const { tellRun } = await import('./tell-run.ts');
    host.terminal.out(await tellRun(host, run, { heal: { what, nodes } }));
    return EXIT.pass;
  },
});
