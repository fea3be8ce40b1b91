import * as z from 'zod';

const table = z.object({ count: z.int(), digest: z.number() });
/** Rises with every change of a daemon's tables: calls are recorded when they end. Older recordings lack it. */
const version = z.int().optional();

/**
 * A call that a daemon answered. `detail` says what it did, by kind; the daemons' own contract has more kinds than
 * are judged.
 */
export const call = z.object({
  kind: z.literal('call'),
  node: z.string(),
  method: z.string(),
  path: z.string(),
  /** 0: the connection broke before the answer. What `detail` says was done all the same. */
  status: z.int(),
  durationMs: z.number(),
  requestBytes: z.int(),
  replyBytes: z.int(),
  detail: z.nullable(
    z.union([
      z.object({
        kind: z.literal('addl3'),
        network: z.string(),
        force: z.boolean(),
        routes: z.int(),
        table,
        version,
      }),
      z.object({ kind: z.literal('deletel3'), network: z.string(), table, version }),
      z.object({
        kind: z.literal('pod'),
        pod: z.string(),
        namespace: z.string(),
        network: z.string(),
        asked: z.array(z.string()),
        granted: z.array(z.object({ interface: z.string(), ip: z.string() })),
        omitted: z.array(z.object({ interface: z.string(), reason: z.string() })),
      }),
      z.looseObject({ kind: z.enum(['interface', 'join', 'route', 'refused', 'failed']) }),
    ]),
  ),
  /** The kind of the fault that the daemon had for the call. */
  fault: z.string().optional(),
});
