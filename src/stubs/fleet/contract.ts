import * as z from 'zod';
import { hostInterface, routeTable } from '../daemon/contract.ts';

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

/** What every refusal answers. `failed` comes with `PUT /nodes`: 409 when addresses are taken, else 500. */
export const failure = z.object({ error: z.string(), failed: z.array(failedNode).optional() });

/** `DELETE /nodes`: daemons that shall be gone, with their connections. Their addresses refuse after the reply. */
export const deleteNodesRequest = z.object({ names: z.array(nodeName) });
/** `unknown` are names that no daemon had. */
export const deleteNodesReply = z.object({ deleted: z.int(), unknown: z.array(z.string()) });

/** `GET /nodes/NAME`: what a daemon has and was told. 404 when there is none. */
export const nodeState = z.object({
  name: z.string(),
  address: z.string(),
  port: z.int(),
  interfaces: z.array(hostInterface),
  /** By network; the main table, if it was ever used, under the empty name. */
  tables: z.record(z.string(), routeTable),
  /** `healthy`, or the name of the fault. */
  behaviour: z.string(),
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
