import type { Clock } from '../../sim/base/clock.ts';
import { reasonOf } from '../../sim/base/errors.ts';
import { inArrivalOrder } from './arrivals.ts';
import type { CniPlan, CniResult, PlannedPod } from './contract.ts';
import { CallFailed, type DaemonCalls } from './daemon-calls.ts';
import type { PodObjects } from './pod-objects.ts';

export interface CniTools {
  readonly clock: Clock;
  readonly calls: DaemonCalls;
  /** Undefined where there are no objects of the pods. */
  readonly objects: PodObjects | undefined;
  readonly signal: AbortSignal;
  readonly onResult: (result: CniResult) => void;
}

type Network = PlannedPod['networks'][number];
type Outcome = Pick<CniResult, 'status' | 'asked' | 'granted' | 'retries' | 'problem'>;

/** Does what the plan says, pod by pod. Answers whether everybody got what they asked for. */
export async function runCni(plan: CniPlan, tools: CniTools): Promise<boolean> {
  let isAllWell = true;
  await inArrivalOrder(plan.pods, plan, tools.clock, tools.signal, async (pod, dueMs) => {
    for (const result of await serve(pod, dueMs, plan, tools)) isAllWell &&= isWell(result);
  });
  return isAllWell;
}

/** What a pod no longer holds need not be taken back. */
const isWell = ({ verb, status }: CniResult): boolean =>
  status === 'complete' || (verb === 'deallocate' && status === 'empty');

/** Its networks one after the other, as Multus does it. */
async function serve(
  pod: PlannedPod,
  dueMs: number,
  plan: CniPlan,
  { clock, calls, objects, signal, onResult }: CniTools,
): Promise<readonly CniResult[]> {
  const { verb } = plan;
  const broken = verb === 'allocate' ? await problemOf(objects?.create(pod, signal)) : undefined;
  const results: CniResult[] = [];
  for (const network of pod.networks) {
    const startMs = clock.now();
    const outcome =
      broken !== undefined
        ? failed(broken, 0)
        : verb === 'allocate'
          ? await allocate(pod, network, calls)
          : await deallocate(pod, network, calls);
    const { node, namespace, pod: name } = pod;
    const place = { verb, node, namespace, pod: name, network: network.name };
    const result: CniResult = { ...place, ...outcome, dueMs, startMs, endMs: clock.now() };
    results.push(result);
    onResult(result);
  }
  const finish = () =>
    verb === 'allocate' ? objects?.annotate(pod, results, signal) : objects?.delete(pod, signal);
  const problem = broken ?? (await problemOf(finish()));
  if (problem !== undefined) console.error(`${pod.namespace}/${pod.pod}: ${problem}`);
  return results;
}

async function allocate(pod: PlannedPod, network: Network, calls: DaemonCalls): Promise<Outcome> {
  let retries = 0;
  let asked: string[] = [];
  try {
    const selected = await calls.select(pod, network);
    retries = selected.retries;
    asked = [...selected.answer];
    if (asked.length === 0)
      return { ...failed('the daemon selected no NIC', retries), status: 'empty' };
    const given = await calls.allocate(pod, network, asked);
    retries += given.retries;
    const granted = addressesOf(given.answer);
    const missing = asked.filter((nic) => !granted.some((one) => one.interface === nic));
    const status = granted.length === 0 ? 'empty' : missing.length > 0 ? 'partial' : 'complete';
    const problem = missing.length === 0 ? null : `no address on ${missing.join(', ')}`;
    return { status, asked, granted, retries, problem };
  } catch (error) {
    return { ...failed(reasonOf(error), retries + retriesOf(error)), asked };
  }
}

async function deallocate(pod: PlannedPod, network: Network, calls: DaemonCalls): Promise<Outcome> {
  try {
    const { answer, retries } = await calls.deallocate(pod, network);
    const granted = addressesOf(answer);
    const status = granted.length === 0 ? 'empty' : 'complete';
    return { status, asked: [], granted, retries, problem: null };
  } catch (error) {
    return failed(reasonOf(error), retriesOf(error));
  }
}

const addressesOf = (answer: readonly { readonly interface: string; readonly ip: string }[]) =>
  answer.map(({ interface: nic, ip }) => ({ interface: nic, ip }));

const failed = (problem: string, retries: number): Outcome => ({
  status: 'failed',
  asked: [],
  granted: [],
  retries,
  problem,
});

const retriesOf = (error: unknown): number => (error instanceof CallFailed ? error.retries : 0);

async function problemOf(work: Promise<void> | undefined): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
