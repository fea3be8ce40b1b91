import { EXIT } from '../base/exit-codes.ts';
import { defineCommand } from './command.ts';

export const doctorCommand = defineCommand<object>({
  usage: 'doctor',
  describe: 'Show which programs a run would use, and what this machine lacks',
  build: (yargs) => yargs,
  async run(host) {
    const { examine } = await import('../run/doctor.ts');
    const { lines, isWell } = await examine(host);
    for (const line of lines) host.terminal.out(line);
    return isWell ? EXIT.pass : EXIT.error;
  },
});
