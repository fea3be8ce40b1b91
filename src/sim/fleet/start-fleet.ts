import { join } from 'node:path';
import { fleetHealth } from '../../stubs/fleet/contract.ts';
import { reasonOf, SimError } from '../base/errors.ts';
import { lastLines } from '../base/text.ts';
import { waitFor } from '../base/wait.ts';
import type { Host } from '../host/host.ts';
import type { ChildHandle, ProcessExit, ProcessIdentity } from '../host/processes.ts';
import { RUN_VARIABLE } from '../model/labels.ts';
import { ControlClient } from './control-client.ts';
import { Fleet } from './fleet.ts';

const READY_TIMEOUT_MS = 20_000;
const POLL_MS = 20;
const LOG_TAIL = 12;

type FleetHost = Pick<Host, 'processes' | 'files' | 'clock' | 'env' | 'packageRoot'>;

export interface FleetSettings {
  readonly runId: string;
  /** Where the fleet listens for orders; see socket-path.ts. */
  readonly socketPath: string;
  /** Of the cluster whose IPPools the daemons allocate from. */
  readonly kubeconfigPath: string;
  /** At which every daemon answers. */
  readonly port: number;
  /** The guarantee that the daemon of the seed's node breaks. Default: none. */
  readonly mutant?: { readonly name: string; readonly seed: number } | undefined;
  readonly logFile: string;
  readonly signal: AbortSignal;
  /** What Node.js is told to run, in place of the program in `dist/`. */
  readonly program?: readonly string[];
}

/** Starts a fleet without daemons. Throws SIM_CLUSTER_START, with the end of its log, when it does not come up. */
export async function startFleet(host: FleetHost, settings: FleetSettings): Promise<Fleet> {
  settings.signal.throwIfAborted();
  const child = await spawnFleet(host, settings);
  const client = new ControlClient(settings.socketPath);
  try {
    await waitUntilReady(host, settings, child, client);
    const identity = await identify(host, child);
    const { port, logFile } = settings;
    return new Fleet(host, { client, child, identity, port, logFile });
  } catch (error) {
    host.processes.signal(child.pid, 'SIGKILL', { group: true });
    await client.close();
    throw error;
  }
}

async function spawnFleet(host: FleetHost, settings: FleetSettings): Promise<ChildHandle> {
  const program = settings.program ?? [join(host.packageRoot, 'dist', 'stubs', 'fleet.js')];
  const node = await host.files.linkTarget(`/proc/${host.processes.own.pid}/exe`);
  const options = {
    socket: settings.socketPath,
    port: String(settings.port),
    kubeconfig: settings.kubeconfigPath,
    ...(settings.mutant && {
      mutant: settings.mutant.name,
      seed: String(settings.mutant.seed),
    }),
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return host.processes.spawn(node ?? 'node', [...program, ...args], {
    env: { PATH: host.env['PATH'], [RUN_VARIABLE]: settings.runId },
    logFile: settings.logFile,
    privateFiles: true,
  });
}

async function waitUntilReady(
  host: FleetHost,
  { signal, logFile }: FleetSettings,
  child: ChildHandle,
  client: ControlClient,
): Promise<void> {
  let exit: ProcessExit | undefined;
  void child.exited.then((how) => {
    exit = how;
  });
  let last = 'no answer yet';
  const details = async (): Promise<readonly string[]> =>
    lastLines((await host.files.readTextIfAny(logFile)) ?? '', LOG_TAIL);
  await waitFor({
    what: 'the daemon fleet to answer /healthz',
    clock: host.clock,
    timeoutMs: READY_TIMEOUT_MS,
    intervalMs: POLL_MS,
    signal,
    code: 'SIM_CLUSTER_START',
    lastState: () => last,
    onTimeout: async () => ({ details: await details() }),
    probe: async () => {
      if (exit) throw endedTooSoon(exit, await details());
      try {
        const health = await client.send(fleetHealth, { method: 'GET', path: '/healthz', signal });
        return health.pid === child.pid ? true : undefined;
      } catch (error) {
        last = reasonOf(error);
        return undefined;
      }
    },
  });
}

const endedTooSoon = ({ exitCode, signal }: ProcessExit, details: readonly string[]): SimError =>
  new SimError(
    'SIM_CLUSTER_START',
    `the daemon fleet did not come up: it ${exitCode === undefined ? `was ended by ${signal ?? 'a signal'}` : `exited with code ${exitCode}`}`,
    { details },
  );

async function identify(host: FleetHost, child: ChildHandle): Promise<ProcessIdentity> {
  const identity = await host.processes.identify(child.pid);
  if (!identity) throw new SimError('SIM_CLUSTER_START', 'the daemon fleet ended at once');
  return identity;
}
