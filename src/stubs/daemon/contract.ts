import * as z from 'zod';

/*
 * The HTTP API of the multi-nic daemon, as published by foundation-model-stack/multi-nic-cni (daemon/src/main.go), and
 * two paths of our own. All bodies are JSON. The daemon of this folder answers 200 to everything that has the right
 * shape, and `{"error": …}` with a 4xx or 5xx status to everything else, where the published one would answer 200
 * with an empty body: a mistake of a caller must not stay hidden.
 *
 * Shapes ignore keys they do not know. Lists may be `null`, which is how Go writes an empty one.
 */

const LONGEST_NAME = 253;
const LONGEST_WORD = 256;
const MOST_INTERFACES = 1024;

/** The paths that the published daemon answers. */
export const PUBLISHED_PATHS = [
  '/interface',
  '/join',
  '/greet',
  '/addl3',
  '/deletel3',
  '/addroute',
  '/deleteroute',
  '/select',
  '/allocate',
  '/deallocate',
] as const;

/** Every path that a daemon of ours answers. */
export const DAEMON_PATHS = [...PUBLISHED_PATHS, '/healthz', '/metrics'] as const;
export type DaemonPath = (typeof DAEMON_PATHS)[number];

const name = z.string().max(LONGEST_NAME);
const word = z.string().max(LONGEST_WORD);

/** A list that may be `null`. */
const list = <T extends z.ZodType>(item: T, most: number) =>
  z
    .array(item)
    .max(most)
    .nullable()
    .transform((items) => items ?? []);

/** A list that may be `null` or missing. */
const optionalList = <T extends z.ZodType>(item: T, most: number) =>
  list(item, most)
    .optional()
    .transform((items) => items ?? []);

/** Networks and hosts become values of label selectors; nothing else can be the value of a label. */
const labelValue = z
  .string()
  .max(LONGEST_NAME)
  .regex(/^(?:[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)?$/, 'expected letters, digits, "-", "_" and "."');

/**
 * One NIC of a node: `{"interfaceName":"eth1","netAddress":"10.0.0.0/16","hostIP":"10.0.0.7","vendor":"1af4",
 * "product":"1000","pciAddress":"0000:00:04.0"}`. The network is a CIDR, the address has no prefix length.
 */
export const hostInterface = z.object({
  interfaceName: word.min(1),
  netAddress: word.default(''),
  hostIP: word.default(''),
  vendor: word.default(''),
  product: word.default(''),
  pciAddress: word.default(''),
});
export type HostInterface = z.infer<typeof hostInterface>;

/** `/interface`, any method, no request body. Reply: the node's NICs, `[]` when it has none. */
export const interfaceReply = z.array(hostInterface);

/** POST `/join`: all NICs of all nodes. Reply: `""`. */
export const joinRequest = z.object({ hifs: list(hostInterface, 1_000_000) });

/** POST `/greet`: the caller's address as a JSON string, `""` when no answer is wanted. Reply: `""`. */
export const greetRequest = word;

/** What `/join` and `/greet` answer. */
export const emptyReply = z.literal('');

/**
 * `{"net":"192.168.0.64/26","via":"10.0.0.12","iface":"eth1"}`: a CIDR, a gateway and the NIC to reach it by. Also the
 * body of POST `/addroute` and `/deleteroute`, for one route of the main table.
 */
export const route = z.object({ net: word.min(1), via: word, iface: word });
export type Route = z.infer<typeof route>;

/**
 * POST `/addl3`: the routes of one network. With `force` they replace the network's table, otherwise those that it
 * lacks are added.
 */
export const addL3Request = z.object({
  name: name.min(1),
  subnet: word.default(''),
  routes: list(route, 1_000_000),
  force: z.boolean().default(false),
});

/** POST `/deletel3`: the network whose table shall go, whatever routes come along. */
export const deleteL3Request = addL3Request.extend({ routes: optionalList(route, 1_000_000) });

/** What the four route calls answer. A route that is there already, or is not there, gives `success: false`. */
export const routeReply = z.object({ success: z.boolean(), msg: z.string() });

/**
 * POST `/select`: which NICs a pod shall get. `masterNets` are CIDRs, `args.masters` names of NICs, `args.nics` how
 * many at most, 0 for all. `host` is the node's name, or any part of it. The policies behind `target` and `class`
 * are not emulated.
 */
export const selectRequest = z.object({
  pod: name.min(1),
  namespace: name,
  host: labelValue.default(''),
  def: labelValue.min(1),
  masterNets: optionalList(word, MOST_INTERFACES),
  args: z
    .object({
      nics: z.int().nonnegative().nullish(),
      masters: optionalList(word, MOST_INTERFACES),
      target: word.nullish(),
      class: word.nullish(),
    })
    .nullish(),
});
export type SelectRequest = z.infer<typeof selectRequest>;

/** Reply of `/select`: names of NICs. There are never device ids, because the fake nodes have no device plugin. */
export const selectReply = z.object({
  deviceIDs: z.array(z.string()),
  masters: z.array(z.string()),
});

/** POST `/allocate` and `/deallocate`: the pod, its network (`def`), and the NICs it wants addresses for. */
export const addressRequest = z.object({
  pod: name.min(1),
  namespace: name,
  host: labelValue.default(''),
  def: labelValue.min(1),
  masters: optionalList(word, MOST_INTERFACES),
});
export type AddressRequest = z.infer<typeof addressRequest>;

/** An address given or taken back. `block` is the prefix length of the pool's vlanCIDR, as a string. */
const grantedAddress = z.object({ interface: z.string(), ip: z.string(), block: z.string() });
export type GrantedAddress = z.infer<typeof grantedAddress>;

/** Reply of `/allocate` and `/deallocate`: the successes only, `null` when there is none. */
export const addressReply = z.array(grantedAddress).nullable();

/** GET `/healthz`: ours. The name of the node whose daemon answers. */
export const healthReply = z.object({ ok: z.boolean(), name: z.string() });

/** What every refusal (4xx) and failure (5xx) answers. */
export const errorReply = z.object({ error: z.string() });

/** A table of routes: how many, and the set digest (src/sim/base/set-digest.ts) of their `net|via|iface`. */
export const routeTable = z.object({ count: z.int(), digest: z.number() });

/** Rises with every change of a network's table, in the order of the changes: records come in that of the ends. */
const tableVersion = z.int().positive();

const callDetail = z.discriminatedUnion('kind', [
  /** `/interface`: how many were answered. */
  z.object({ kind: z.literal('interface'), interfaces: z.int() }),
  /** `/join`: how many the daemon was told about. */
  z.object({ kind: z.literal('join'), interfaces: z.int() }),
  /** `/addl3`: how many routes the request held, and the network's table after it. */
  z.object({
    kind: z.literal('addl3'),
    network: z.string(),
    force: z.boolean(),
    routes: z.int(),
    table: routeTable,
    version: tableVersion,
  }),
  z.object({
    kind: z.literal('deletel3'),
    network: z.string(),
    table: routeTable,
    version: tableVersion,
  }),
  /** `/addroute` and `/deleteroute`: whether the main table changed, and the table after it. */
  z.object({ kind: z.literal('route'), success: z.boolean(), table: routeTable }),
  /**
   * `/select`, `/allocate`, `/deallocate`: the NICs asked for by name, what was granted (`/select` grants no
   * address: `ip` is empty), and why other NICs were left out of the reply.
   */
  z.object({
    kind: z.literal('pod'),
    pod: z.string(),
    namespace: z.string(),
    network: z.string(),
    asked: z.array(z.string()),
    granted: z.array(z.object({ interface: z.string(), ip: z.string() })),
    omitted: z.array(z.object({ interface: z.string(), reason: z.string() })),
  }),
  /** The request was wrong: what the reply said about it. */
  z.object({ kind: z.literal('refused'), problem: z.string() }),
  /** The daemon could not do its part: what the reply said about it. */
  z.object({ kind: z.literal('failed'), problem: z.string() }),
]);
export type CallDetail = z.infer<typeof callDetail>;

/** One call to a daemon, recorded when it is over. */
export const callRecord = z.object({
  /** Counts from 1 in the order in which calls ended; a number that never comes was lost. */
  seq: z.int().positive(),
  /** When the head of the request had come: CLOCK_MONOTONIC in milliseconds, the same in all processes. */
  atMs: z.number(),
  /** The node whose daemon was called; empty when no daemon has the address. */
  node: z.string(),
  method: z.string(),
  /** Without the query, cut after 200 characters. */
  path: z.string(),
  /** 0 when the connection broke before the whole reply was sent. */
  status: z.int(),
  /** From `atMs` until the reply was handed to the kernel, or the connection broke. */
  durationMs: z.number(),
  /** Without the heads. */
  requestBytes: z.int(),
  replyBytes: z.int(),
  /** What the call did. Null when there is no more to say, or nothing was done. */
  detail: z.nullable(callDetail),
  /** The kind of the fault (../fleet/contract.ts) that the daemon had for the call when it came. */
  fault: z.string().optional(),
});
export type CallRecord = z.infer<typeof callRecord>;
