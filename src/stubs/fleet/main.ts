import { KubeClient } from '../../sim/kube/client.ts';
import { KubePools, NO_POOLS, type Pools } from '../daemon/pools.ts';
import { monotonicClock } from '../monotonic-clock.ts';
import { runProgram } from '../program.ts';
import { CallLog } from './call-log.ts';
import { controlApp } from './control-app.ts';
import { ControlServer } from './control-server.ts';
import { Fleet } from './fleet.ts';
import { parseOptions, USAGE, type Options } from './options.ts';

/** Readers of the calls get this long to take what is left when the fleet ends. */
const LAST_WORDS_MS = 1000;
/** Daemons ask the API server each for itself; one that is slow for some must not hold up the others. */
const API_CONNECTIONS = 64;

async function poolsOf({ kubeconfig }: Options): Promise<Pools> {
  if (kubeconfig === undefined) return NO_POOLS;
  const client = await KubeClient.fromFile(kubeconfig, {
    clock: monotonicClock,
    userAgent: 'cni-sim-daemon',
    connections: API_CONNECTIONS,
  });
  return new KubePools(client);
}

async function run(options: Options): Promise<void> {
  const { port, mutations } = options;
  const log = new CallLog();
  const pools = await poolsOf(options);
  const fleet = new Fleet({ port, mutations, pools, log, clock: monotonicClock });
  const control = new ControlServer(controlApp(fleet, log));
  const end = async (): Promise<void> => {
    await fleet.close();
    log.close();
    await control.close(LAST_WORDS_MS);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end());
  await control.listen(options.socket);
  console.log(`ready ${options.socket}`);
}

await runProgram({ name: 'fleet', usage: USAGE, parseOptions, run });
