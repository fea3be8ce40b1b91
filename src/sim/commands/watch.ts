import { parseDuration } from '../base/duration.ts';
import { SimError } from '../base/errors.ts';
import { EXIT, type ExitCode } from '../base/exit-codes.ts';
import type { OperatorProfile } from '../model/operator-profile.ts';
import type { WatchEnd } from '../run/watch-cluster.ts';
import { defineCommand } from './command.ts';

interface WatchArgs {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly profile: string;
  readonly network: string | undefined;
  readonly for: string | undefined;
  readonly untilComplete: boolean;
  readonly json: boolean;
}

/** What a timer can hold. */
const LONGEST_MS = 2 ** 31 - 1;

export const watchCommand = defineCommand<WatchArgs>({
  usage: 'watch',
  describe: 'Show live how an operator serves the nodes of any cluster; only reads',
  build: (yargs) =>
    yargs
      .option('kubeconfig', {
        type: 'string',
        requiresArg: true,
        describe: 'the cluster; default: $KUBECONFIG, else ~/.kube/config',
      })
      .option('context', {
        type: 'string',
        requiresArg: true,
        describe: 'a context of the kubeconfig; default: its current one',
      })
      .option('profile', {
        type: 'string',
        requiresArg: true,
        default: 'multi-nic',
        describe: 'the operator',
      })
      .option('network', { type: 'string', requiresArg: true, describe: 'only this network' })
      .option('for', {
        type: 'string',
        requiresArg: true,
        describe: 'ends after a time such as 30s; default: goes on until Ctrl-C',
      })
      .option('until-complete', {
        type: 'boolean',
        default: false,
        describe:
          'ends when no node lacks anything and all counters are right; exits with 1 when --for is over before',
      })
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'a JSON object a line, whenever something has changed',
      }),
  async run(host, args) {
    const forMs = args.for === undefined ? undefined : durationOf(args.for);
    const [{ kubeconfigPath }, { watchCluster }] = await Promise.all([
      import('../run/kubeconfig-path.ts'),
      import('../run/watch-cluster.ts'),
    ]);
    const end = await watchCluster(host, {
      kubeconfig: await kubeconfigPath(host, args.kubeconfig),
      context: args.context,
      profile: await profileOf(args.profile),
      network: args.network,
      forMs,
      untilComplete: args.untilComplete,
      asJson: args.json,
    });
    if (args.untilComplete && end === 'over') host.terminal.err(`not complete after ${args.for}`);
    return exitCodeOf(end, args);
  },
});

function durationOf(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms <= LONGEST_MS) return ms;
  throw new SimError('SIM_USAGE', `--for: expected a duration such as 30s or 5m, got ${text}`);
}

async function profileOf(name: string): Promise<OperatorProfile> {
  const { profileNamed, PROFILES } = await import('../operators/profiles.ts');
  const profile = profileNamed(name);
  if (profile) return profile;
  throw new SimError('SIM_USAGE', `there is no profile ${name}`, {
    hint: `one of: ${PROFILES.map((one) => one.name).join(', ')}`,
  });
}

/** To be stopped is the normal end of a watch, unless it was to wait for something that has not come. */
function exitCodeOf(end: WatchEnd, { untilComplete }: WatchArgs): ExitCode {
  if (end === 'complete' || !untilComplete) return EXIT.pass;
  switch (end) {
    case 'SIGINT':
    case 'SIGHUP':
      return EXIT.interrupted;
    case 'SIGTERM':
      return EXIT.terminated;
    case 'over':
    case 'unread':
      return EXIT.fail;
  }
}
