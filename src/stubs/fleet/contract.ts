import * as z from 'zod';
import { DAEMON_PATHS, hostInterface, routeTable } from '../daemon/contract.ts';

/*
 * The control API of a fleet: HTTP on a Unix socket that only its owner may use. All bodies are JSON, but for the
 * lines of `GET /calls` and the text of `GET /metrics`. What is wrong is answered with a 4xx status and `failure`.
 */

const LOOPBACK = /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;
const NODE_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

const nodeName = z.string().regex(NODE_NAME, 'expected the name of a node');

/** A node whose daemon the fleet shall be: its name, the address to answer at, its NICs. */
export const fleetNode = z.object({
  name: nodeName,
  /** Of 127.0.0.0/8: nothing of ours listens beyond loopback. The port is the same for the whole fleet. */
  address: z.string().regex(LOOPBACK, 'expected an address of 127.0.0.0/8'),
  interfaces: z.array(hostInterface),
});
export type FleetNode = z.infer<typeof fleetNode>;

/**
 * `PUT /nodes`: daemons that shall be there. A node that is known already is replaced, as if its daemon had been
 * restarted: its tables are empty, its connections broken. Each node is there in full or not at all: with 409 those
 * of `failed` are as they were before, and the others are done. After the reply they can be called.
 */
export const putNodesRequest = z.object({
  nodes: z.array(fleetNode).superRefine((nodes, context) => {
    for (const key of ['name', 'address'] as const) {
      const twice = firstDuplicate(nodes.map((node) => node[key]));
      if (twice !== undefined)
        context.addIssue({ code: 'custom', message: `two nodes have the ${key} ${twice}` });
    }
  }),
});
export const putNodesReply = z.object({ added: z.int(), replaced: z.int() });

function firstDuplicate(values: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return values.find((value) => seen.size === seen.add(value).size);
}

/** A node that could not be put. `code` is the system's, such as EADDRINUSE, where there is one. */
const failedNode = z.object({
  name: z.string(),
  address: z.string(),
  port: z.int(),
  code: z.nullable(z.string()),
  problem: z.string(),
});
export type FailedNode = z.infer<typeof failedNode>;

/**
 * What every refusal answers. `failed` comes with what may make a daemon listen (`PUT /nodes`, `PUT /faults`,
 * `POST /restart`): 409 when addresses are taken, else 500. The other daemons are changed all the same.
 */
export const failure = z.object({ error: z.string(), failed: z.array(failedNode).optional() });

/** `DELETE /nodes`: daemons that shall be gone, with their connections. Their addresses refuse after the reply. */
export const deleteNodesRequest = z.object({ names: z.array(nodeName) });
/** `unknown` are names that no daemon had. */
export const deleteNodesReply = z.object({ deleted: z.int(), unknown: z.array(z.string()) });

const LONGEST_MS = 24 * 60 * 60 * 1000;
const ms = z.number().nonnegative().max(LONGEST_MS);

const pathsOf = (known: readonly string[]) =>
  z
    .array(z.string().refine((path) => known.includes(path), `expected one of ${known.join(', ')}`))
    .min(1)
    .optional();
const paths = pathsOf(DAEMON_PATHS);

/** Those that answer lists. */
export const LIST_PATHS: readonly string[] = ['/interface', '/select', '/allocate'];

/** What is wrong with a daemon. Where `paths` are given it is healthy on all others. */
export const daemonFault = z.discriminatedUnion('kind', [
  /**
   * Every call waits before it is read: `delayMs` milliseconds (`fixed`), evenly from none to twice as long
   * (`uniform`), or exponentially about it, at most ten times as long. The same `seed`, usually 1, makes the same
   * delays. Calls that wait when it ends wait on.
   */
  z.strictObject({
    kind: z.literal('latency'),
    delayMs: ms,
    spread: z.enum(['fixed', 'uniform', 'exponential']),
    seed: z.int().optional(),
    paths,
  }),
  /** Calls are never answered, their connections stay open. When it ends, the connections of those that wait break. */
  z.strictObject({ kind: z.literal('hang'), paths }),
  /** Nothing listens at the daemon's address. Open connections break when it begins. */
  z.strictObject({ kind: z.literal('refuse') }),
  /** The connection is reset once the head of a call has come. */
  z.strictObject({ kind: z.literal('reset'), paths }),
  /** Calls are answered with an HTTP status, and nothing is done. */
  z.strictObject({
    kind: z.literal('error'),
    status: z.int().min(400).max(599).default(500),
    paths,
  }),
  /** Calls are answered 200 with a body that is no JSON, and nothing is done. */
  z.strictObject({ kind: z.literal('malformed'), paths }),
  /** `/interface` answers `[]`, `/select` no NIC, `/allocate` `null`, and nothing is done. */
  z.strictObject({
    kind: z.literal('empty'),
    paths: pathsOf(LIST_PATHS),
  }),
]);
export type DaemonFault = z.infer<typeof daemonFault>;

/** Some daemons. 404, which names those that are not there, when not all are; then nothing is changed. */
const daemonNames = z.array(nodeName);

/**
 * `PUT /faults`: one fault for each of the daemons, in place of the one that it has; `null` heals. A fault outlasts
 * the restart of its daemon, and ends when the node is deleted or put again. After the reply, new calls meet the
 * fault, or none; a daemon that cannot have its address back still refuses.
 */
export const putFaultsRequest = z.object({ names: daemonNames, fault: z.nullable(daemonFault) });
/** How many daemons have it. */
export const putFaultsReply = z.object({ changed: z.int() });

/** `POST /drop`: breaks the connections that are open, and nothing else. What calls have asked for is done. */
export const dropRequest = z.object({ names: daemonNames });
/** Of how many daemons. */
export const dropReply = z.object({ dropped: z.int() });

/**
 * `POST /restart`: the process of each daemon ends, with its connections and the calls under way, and begins again
 * after `downMs` milliseconds in which its address refuses. It keeps its NICs and its fault; the kernel of its node
 * keeps the routes. Everything else it has forgotten. The reply comes when it is back.
 */
export const restartRequest = z.object({ names: daemonNames, downMs: ms.default(0) });
/** How many are back, without those that were put, deleted or restarted again meanwhile. */
export const restartReply = z.object({ restarted: z.int() });

/** `GET /nodes/NAME`: what a daemon has and was told. 404 when there is none. */
export const nodeState = z.object({
  name: z.string(),
  address: z.string(),
  port: z.int(),
  interfaces: z.array(hostInterface),
  /** By network; the main table, if it was ever used, under the empty name. */
  tables: z.record(z.string(), routeTable),
  /** Null when it is healthy. */
  fault: z.nullable(daemonFault),
});
export type NodeState = z.infer<typeof nodeState>;

/** `PUT /nodes/NAME/interfaces`: other NICs for a daemon, which keeps everything else. Replies with `nodeState`. */
export const putInterfacesRequest = z.object({ interfaces: z.array(hostInterface) });

/**
 * `GET /calls?from=SEQ`: an endless stream of lines, each a `callRecord` of ../daemon/contract.ts, beginning with
 * number SEQ (default 1, the first call of all), as far as the fleet still has it. A hole in the numbers is what the
 * reader was too slow for. 400 when SEQ is higher than that of the next call.
 */
export const callsQuery = z.object({ from: z.coerce.number().int().positive().default(1) });

/** `GET /healthz`. `lastCall` is the number of the newest call record, 0 when there is none. */
export const fleetHealth = z.object({
  ok: z.literal(true),
  pid: z.int(),
  port: z.int(),
  daemons: z.int(),
  lastCall: z.int(),
});
export type FleetHealth = z.infer<typeof fleetHealth>;
