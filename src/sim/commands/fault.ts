import { EXIT } from '../base/exit-codes.ts';
import { FAULT_KINDS } from '../model/fault.ts';
import { defineCommand } from './command.ts';

interface FaultArgs {
  readonly run: string;
  readonly what: string;
  readonly nodes: string;
  readonly delay: string | undefined;
  readonly spread: string | undefined;
  readonly status: number | undefined;
  readonly interface: string | undefined;
  readonly paths: readonly string[] | undefined;
  readonly for: string | undefined;
}

export const faultCommand = defineCommand<FaultArgs>({
  usage: 'fault <run> <what>',
  describe: 'Make something go wrong in a run that is in progress',
  build: (yargs) =>
    yargs
      .positional('run', { type: 'string', demandOption: true, describe: RUN })
      .positional('what', { choices: FAULT_KINDS, demandOption: true, describe: 'the fault' })
      .option('nodes', {
        type: 'string',
        demandOption: true,
        describe: 'which nodes: 3, 1-10, 1-4,7',
      })
      .option('delay', { type: 'string', describe: 'of latency and slow-start: 200ms, 5s' })
      .option('spread', {
        choices: ['fixed', 'uniform', 'exponential'],
        describe: 'how latency is spread',
      })
      .option('status', { type: 'number', describe: 'the HTTP status of error' })
      .option('interface', { type: 'string', describe: 'the NIC of missing-nic and extra-nic' })
      .option('paths', { type: 'array', string: true, describe: 'only these: /interface /addl3' })
      .option('for', { type: 'string', describe: 'how long; default: until `sim heal`' }),
  async run(
    host,
    { run, what, nodes, delay, spread, status, paths, interface: nic, for: forText },
  ) {
    const { tellRun } = await import('./tell-run.ts');
    const given = { what, nodes, delay, spread, status, paths, interface: nic, for: forText };
    host.terminal.out(await tellRun(host, run, { fault: given }));
    return EXIT.pass;
  },
});

/** What names a run. */
export const RUN = 'the id of a run, the beginning of it, or its directory';
