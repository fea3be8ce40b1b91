import * as z from 'zod';
import type { JsonObject } from '../base/json.ts';
import { call } from './daemon-call.ts';
import { faulty } from './fault-entry.ts';
import { controllerMetrics } from './metrics-entry.ts';
import type { PlannedAction } from './plan.ts';
import { component, controller, usage } from './process-entries.ts';

/** The version of the recording's format. A reader refuses any other. */
export const HISTORY_SCHEMA = 1;

const json = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null);
const rows = z.record(z.string(), json);
const text = z.string();
/** Far beyond any run. Later times are too coarse for arithmetic: adding a second to 1e308 changes nothing. */
const YEAR_MS = 366 * 24 * 3_600_000;
const ms = z.number().min(-YEAR_MS).max(YEAR_MS);

const machine = z.object({
  os: text,
  kernel: text,
  arch: text,
  cpuModel: text,
  cpus: z.int(),
  memoryBytes: z.number(),
  nodeVersion: text,
});

/** First line of every recording: what was to be done, and where. */
const header = z.object({
  kind: z.literal('header'),
  schema: z.literal(HISTORY_SCHEMA),
  simVersion: text,
  run: z.object({ id: text, startedAt: text }),
  seed: z.int(),
  /** `source` is the scenario as it was written, after `--set`: reading it again gives the plan again. */
  scenario: z.object({ name: text, path: text, sha256: text, source: json }),
  runtime: z.object({ name: text, preset: z.nullable(text) }),
  machine,
});

/** What became known when the cluster was up. */
const environment = z.object({
  kind: z.literal('environment'),
  versions: z.record(z.string(), z.string()),
  nodeNetwork: text,
  controller: z.object({
    kind: text,
    reference: z.boolean(),
    command: z.nullable(z.array(text)),
    identity: z.nullable(text),
    flowSchema: z.nullable(text),
    /** Quantities as written; recordings of before there were limits do not say. */
    limits: z.optional(z.nullable(z.object({ cpu: z.nullable(text), memory: z.nullable(text) }))),
  }),
});

const step = z.object({
  kind: z.literal('step'),
  phase: z.enum(['begin', 'end', 'skip']),
  step: text,
  /** Wall time in milliseconds since 1970, to match logs with; never for durations. */
  wallMs: z.optional(z.number()),
  /** Why a step ended before its goal, or was skipped. */
  reason: z.optional(text),
});

const action = z.object({
  kind: z.literal('action'),
  phase: z.enum(['begin', 'end']),
  step: text,
  /** The place of the action in its step. */
  index: z.int(),
  action: z.custom<PlannedAction>((value) => typeof value === 'object' && value !== null),
  error: z.optional(text),
});

/** What became of one pod's request for addresses on one network. */
const allocation = z.object({
  kind: z.literal('allocation'),
  verb: z.enum(['allocate', 'deallocate']),
  step: text,
  node: text,
  owner: text,
  network: text,
  status: z.enum(['complete', 'partial', 'empty', 'failed']),
  asked: z.array(text),
  granted: z.array(z.object({ interface: text, ip: text })),
  /** From the moment at which the pod was due, whenever its turn came, to the daemon's answer. */
  latencyMs: ms,
  retries: z.int(),
  problem: z.nullable(text),
});

/** A kind was listed in full, at the start or after a gap. */
const listed = z.object({
  kind: z.literal('listed'),
  resource: text,
  count: z.int(),
  resourceVersion: text,
  durationMs: ms,
});

/** An object was seen to change. Rows are differences from what was recorded before. */
const object = z.object({
  kind: z.literal('object'),
  op: z.enum(['added', 'modified', 'deleted']),
  resource: text,
  namespace: z.optional(text),
  name: text,
  uid: text,
  resourceVersion: text,
  /** Left out when the fields are as they were. */
  fields: z.optional(json),
  set: z.optional(rows),
  unset: z.optional(z.array(text)),
});

/** A watch was closed and taken up again where it had ended: nothing is missing. */
const resume = z.object({
  kind: z.literal('resume'),
  resource: text,
  reason: text,
  durationMs: ms,
});

/** A watch was lost and the kind had to be listed anew: what happened from `fromMs` on is not known. */
const gap = z.object({ kind: z.literal('gap'), resource: text, reason: text, fromMs: ms });

/** One write of the canary object, and the worst delay of the event loop since the one before. */
const canary = z.object({
  kind: z.literal('canary'),
  /** From the API's answer to the event; null when the event never came. */
  observationMs: z.nullable(ms),
  writeMs: ms,
  loopDelayMs: ms,
});

/** The API server did not answer, or answered very late. */
const stall = z.object({ kind: z.literal('stall'), fromMs: ms, toMs: ms, what: text });

/** A pod that kwok had overlooked was touched, so that it looks again. */
const nudge = z.object({
  kind: z.literal('nudge'),
  namespace: text,
  name: text,
  node: text,
  /** How long the pod had been bound without being run, as far as was seen. */
  waitedMs: ms,
  /** Why the touch failed, if it did. */
  reason: z.optional(text),
});

const apiRow = z.object({
  user: text,
  userAgent: text,
  verb: text,
  resource: text,
  requests: z.int(),
  conflicts: z.int(),
  throttled: z.int(),
  failed: z.int(),
});
export type ApiRow = z.infer<typeof apiRow>;

/** What the API server was asked for during a step. */
const api = z.object({
  kind: z.literal('api'),
  step: text,
  source: z.enum(['audit-log', 'metrics']),
  rows: z.array(apiRow),
  latencyMs: z.nullable(z.object({ p50: ms, p99: ms, max: ms })),
});

/** The objects of a kind as they were listed at the very end, to hold the recording against. */
const snapshot = z.object({
  kind: z.literal('snapshot'),
  resource: text,
  objects: z.array(
    z.object({
      namespace: z.optional(text),
      name: text,
      uid: text,
      fields: json,
      rows: z.optional(rows),
    }),
  ),
});

const end = z.object({
  kind: z.literal('end'),
  reason: z.enum(['completed', 'interrupted', 'error']),
  code: z.optional(text),
  message: z.optional(text),
});

const ENTRIES = [
  header,
  environment,
  step,
  action,
  call,
  faulty,
  allocation,
  listed,
  object,
  resume,
  gap,
  controller,
  component,
  usage,
  controllerMetrics,
  canary,
  stall,
  nudge,
  api,
  snapshot,
  end,
] as const;

/** What can be recorded, before the recorder has numbered and timed it. */
export type Observation = z.infer<(typeof ENTRIES)[number]>;
export type ObservationOf<K extends Observation['kind']> = Extract<Observation, { kind: K }>;

interface Stamp {
  /** Counts from 0 without a hole. */
  readonly seq: number;
  /** Milliseconds since the run began, taken when the event arrived. */
  readonly atMs: number;
}

export type HistoryEntry = Observation & Stamp;
export type HistoryEntryOf<K extends Observation['kind']> = ObservationOf<K> & Stamp;

const stamp = z.object({ seq: z.int().nonnegative(), atMs: ms.nonnegative() });
const anyEntry = z.looseObject({ ...stamp.shape, kind: z.string() });
const byKind = new Map<string, z.ZodType<Observation>>(
  ENTRIES.map((shape) => [shape.shape.kind.value, shape]),
);

/**
 * One line of a recording. An entry of a kind that this version does not know comes back as `unknown`: it is kept
 * and passed over. Throws a ZodError or a SyntaxError when the line is no entry.
 */
export function parseHistoryLine(
  line: string,
): { readonly known: HistoryEntry } | { readonly unknown: string; readonly seq: number } {
  const raw = anyEntry.parse(JSON.parse(line));
  const shape = byKind.get(raw.kind);
  if (!shape) return { unknown: raw.kind, seq: raw.seq };
  return { known: { seq: raw.seq, atMs: raw.atMs, ...shape.parse(raw) } };
}
