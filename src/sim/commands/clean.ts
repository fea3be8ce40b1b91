import { EXIT } from '../base/exit-codes.ts';
import { defineCommand } from './command.ts';

export const cleanCommand = defineCommand<object>({
  usage: 'clean',
  describe: 'Remove what runs that were killed, or kept, have left behind',
  build: (yargs) => yargs,
  async run(host) {
    const { cleanDeadRuns } = await import('../run/clean.ts');
    const { cleaned, problems } = await cleanDeadRuns(host);
    for (const line of cleaned) host.terminal.out(line);
    if (cleaned.length === 0 && problems.length === 0) host.terminal.out('nothing to clean');
    for (const problem of problems) host.terminal.err(problem);
    return problems.length === 0 ? EXIT.pass : EXIT.error;
  },
});
