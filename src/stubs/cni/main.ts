import { text } from 'node:stream/consumers';
import { reasonOf } from '../../sim/base/errors.ts';
import { KubeClient } from '../../sim/kube/client.ts';
import { monotonicClock } from '../monotonic-clock.ts';
import { runProgram } from '../program.ts';
import { runCni } from './cni.ts';
import { cniPlan, type CniPlan } from './contract.ts';
import { DaemonCalls } from './daemon-calls.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { PodObjects } from './pod-objects.ts';

const EXIT = { allWell: 0, someWithout: 1, noBegin: 2, SIGINT: 130, SIGTERM: 143 } as const;

async function run(options: Options): Promise<void> {
  const begun = await begin(options);
  if (!begun) return;
  const { plan, kube } = begun;
  const stop = new AbortController();
  let exitCode: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      exitCode = EXIT[signal];
      stop.abort();
    });
  process.stdout.on('error', () => {
    stop.abort(); // whoever reads the results has gone
  });
  const calls = new DaemonCalls(plan, monotonicClock, stop.signal);
  const isAllWell = await runCni(plan, {
    clock: monotonicClock,
    calls,
    objects: kube && plan.podObjects ? new PodObjects(kube, plan.podObjects) : undefined,
    signal: stop.signal,
    onResult: (result) => {
      process.stdout.write(`${JSON.stringify(result)}\n`);
    },
  });
  await Promise.all([calls.close(), kube?.close()]);
  process.exitCode = exitCode ?? (isAllWell ? EXIT.allWell : EXIT.someWithout);
}

interface Begun {
  readonly plan: CniPlan;
  readonly kube: KubeClient | undefined;
}

async function begin({ kubeconfig }: Options): Promise<Begun | undefined> {
  try {
    const plan = await readPlan();
    return { plan, kube: await kubeOf(plan, kubeconfig) };
  } catch (error) {
    console.error(`cni: ${reasonOf(error)}`);
    process.exitCode = EXIT.noBegin;
    return undefined;
  }
}

async function readPlan(): Promise<CniPlan> {
  try {
    return cniPlan.parse(JSON.parse(await text(process.stdin)));
  } catch (error) {
    throw new Error(`cannot read the plan: ${reasonOf(error)}`, { cause: error });
  }
}

async function kubeOf(
  { podObjects }: CniPlan,
  kubeconfig: string | undefined,
): Promise<KubeClient | undefined> {
  if (!podObjects) return undefined;
  if (kubeconfig === undefined)
    throw new Error('--kubeconfig is missing: the plan has Pod objects');
  return KubeClient.fromFile(kubeconfig, { clock: monotonicClock, userAgent: 'cni-sim-cni' });
}

await runProgram({ name: 'cni', usage: USAGE, parseOptions, run });
