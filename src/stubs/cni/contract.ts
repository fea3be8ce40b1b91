import * as z from 'zod';

/*
 * The CNI stub asks daemons for addresses as a CNI plugin does, and gives them back. It reads one plan, a JSON document,
 * from standard input, and writes a result, a line of JSON, for each pod and network to standard output as it comes.
 * It exits with 0 when every pod got what it asked for, with 1 when one did not, and with 2 when it cannot
 * begin: without a plan that it can read, or without the cluster that the plan needs.
 */

const ms = z.number().nonnegative();
const name = z.string().min(1);

/** When pods come. `concurrency`: so many are in progress at a time; `perSecond`: whatever became of those before. */
const arrival = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('at-once'), concurrency: z.int().positive() }),
  z.object({ kind: z.enum(['constant', 'poisson']), perSecond: z.number().positive() }),
]);

const pod = z.object({
  node: name,
  /** Of the node's daemon: `127.64.0.7:11000`. */
  address: name,
  namespace: name,
  pod: name,
  /** One after the other. `masterNets` are the interface networks to choose from; none: all. */
  networks: z.array(z.object({ name, masterNets: z.array(z.string()) })).min(1),
});
export type PlannedPod = z.infer<typeof pod>;

export const cniPlan = z.object({
  verb: z.enum(['allocate', 'deallocate']),
  /** Of random arrivals. */
  seed: z.int().nonnegative(),
  arrival,
  /** How often a call is tried at most, and the rest between two tries. */
  attempts: z.int().positive(),
  pauseMs: ms,
  /** Of a single call. */
  timeoutMs: ms,
  /** Whether there are Pod objects, with which annotation, and which labels. Needs a kubeconfig. */
  podObjects: z.nullable(
    z.object({
      annotation: z.enum(['current', 'legacy', 'both']),
      labels: z.record(z.string(), z.string()),
    }),
  ),
  pods: z.array(pod),
});
export type CniPlan = z.infer<typeof cniPlan>;

/** What became of one pod on one network. Times are CLOCK_MONOTONIC in milliseconds. */
export const cniResult = z.object({
  verb: z.enum(['allocate', 'deallocate']),
  node: name,
  namespace: name,
  pod: name,
  network: name,
  /**
   * `partial`: fewer addresses than NICs; a plugin takes that for success. `empty`: none at all. `failed`: no answer
   * that could be read.
   */
  status: z.enum(['complete', 'partial', 'empty', 'failed']),
  /** The NICs that the daemon selected. */
  asked: z.array(z.string()),
  granted: z.array(z.object({ interface: z.string(), ip: z.string() })),
  /** Calls beyond the first of each kind. */
  retries: z.int().nonnegative(),
  /** Why it is not complete, as far as is known. */
  problem: z.nullable(z.string()),
  /** When the pod was due. A latency counts from here: what queues before its turn is waiting, too. */
  dueMs: z.number(),
  startMs: z.number(),
  endMs: z.number(),
});
export type CniResult = z.infer<typeof cniResult>;
