import { defineCommand } from './command.ts';

interface JudgeArgs {
  readonly recording: string;
  readonly json: boolean;
}

export const judgeCommand = defineCommand<JudgeArgs>({
  usage: 'judge <recording>',
  describe: 'Judge a recorded run again, without a cluster',
  build: (yargs) =>
    yargs
      .positional('recording', {
        type: 'string',
        demandOption: true,
        describe: 'a run directory, or the history.jsonl of one',
      })
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'the report as JSON',
      }),
  async run(host, { recording, json }) {
    const [{ readRecording }, { reportOf }, { terminalSummary }] = await Promise.all([
      import('../run/read-recording.ts'),
      import('../run/judge-run.ts'),
      import('../report/terminal.ts'),
    ]);
    const { run, profile, path } = await readRecording(host, recording);
    const report = reportOf(run, profile);
    const lines = json
      ? [JSON.stringify(report, null, 2)]
      : terminalSummary(report, { judged: path });
    for (const line of lines) host.terminal.out(line);
    return report.exitCode;
  },
});
