import type { CniPlan, CniResult } from '../../stubs/cni/contract.ts';
import { SimError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { indexesOf, nodeName } from '../base/node-names.ts';
import { waitFor } from '../base/wait.ts';
import { KINDS } from '../kube/objects.ts';
import type { ObservationOf } from '../model/history.ts';
import { RUN_LABEL, SIM_NAMESPACE } from '../model/labels.ts';
import type { AddressWork } from '../model/plan.ts';
import { podName } from '../model/pod-names.ts';
import type { StepContext } from './context.ts';
import type { Daemons } from './daemons.ts';

type Verb = 'allocate' | 'deallocate';

/** How many pods ask at a time when all come at once: as many as a kubelet starts on each of a few nodes. */
const AT_ONCE = 64;
const RETRY_PAUSE_MS = 200;
const CALL_TIMEOUT_MS = 30_000;
const EVICTED_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** Asks daemons for addresses, or gives them back. What is refused is recorded, and judged by the step's goal. */
export async function askDaemons(
  verb: Verb,
  work: AddressWork,
  context: StepContext,
): Promise<void> {
  const { daemons, cni, record, signal, step } = context;
  if (!daemons || !cni)
    throw new SimError('SIM_UNSUPPORTED', 'the operator has no daemons that give out addresses');
  await cni(
    cniPlanOf(verb, work, daemons, context),
    (result) => {
      record(observationOf(result, verb, step), result.endMs);
    },
    signal,
  );
}

function cniPlanOf(
  verb: Verb,
  work: AddressWork,
  daemons: Daemons,
  { seed, runId }: StepContext,
): CniPlan {
  const { arrival, attempts, podObjects } = work;
  return {
    verb,
    seed,
    arrival: arrival.kind === 'at-once' ? { ...arrival, concurrency: AT_ONCE } : { ...arrival },
    attempts,
    pauseMs: RETRY_PAUSE_MS,
    timeoutMs: CALL_TIMEOUT_MS,
    podObjects:
      podObjects === 'none' ? null : { annotation: podObjects, labels: { [RUN_LABEL]: runId } },
    pods: podsOf(work).map(({ node, pod }) => ({
      node: nodeName(node),
      address: daemons.endpoint(node),
      namespace: SIM_NAMESPACE,
      pod: podName(node, pod),
      networks: daemons.networks.map(({ name, masterNets }) => ({
        name,
        masterNets: [...masterNets],
      })),
    })),
  };
}

function observationOf(result: CniResult, verb: Verb, step: string): ObservationOf<'allocation'> {
  const { node, namespace, pod, network, status, asked, granted, retries, problem } = result;
  return {
    kind: 'allocation',
    verb,
    step,
    node,
    owner: `${namespace}/${pod}`,
    network,
    status,
    asked,
    granted,
    latencyMs: result.endMs - result.dueMs,
    retries,
    problem,
  };
}

/** Waits until the cluster has taken the pods away, and then does what their kubelet would. */
export async function releaseEvicted(work: AddressWork, context: StepContext): Promise<void> {
  const { kube, clock, signal } = context;
  const leaving = new Set(podsOf(work).map(({ node, pod }) => podName(node, pod)));
  await waitFor({
    what: 'the pods of tainted nodes to be evicted',
    clock,
    timeoutMs: EVICTED_TIMEOUT_MS,
    intervalMs: POLL_MS,
    signal,
    probe: async () => {
      const pods = await kube.list(KINDS.pod, { namespace: SIM_NAMESPACE, signal });
      const left = pods.some(({ metadata: { name }, spec }) => leaving.has(name) && isRecord(spec));
      return left ? undefined : true;
    },
  });
  await askDaemons('deallocate', { ...work, podObjects: 'none' }, context);
}

/** The first pods of all nodes, then the second: as a scheduler spreads them. */
function podsOf({ work }: AddressWork): readonly { readonly node: number; readonly pod: number }[] {
  return work
    .flatMap(({ nodes, pods }) =>
      [...indexesOf(nodes)].flatMap((node) => [...indexesOf(pods)].map((pod) => ({ node, pod }))),
    )
    .sort((a, b) => a.pod - b.pod || a.node - b.node);
}
