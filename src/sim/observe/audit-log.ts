import * as z from 'zod';
import { ascending, nearestRank } from '../base/nearest-rank.ts';
import type { Host } from '../host/host.ts';
import type { ApiRow, ObservationOf } from '../model/history.ts';

/** A stretch of wall time that belongs to a step. */
export interface StepWindow {
  readonly step: string;
  readonly beginWallMs: number;
  readonly endWallMs: number;
}

/** The fields of an audit event (audit.k8s.io/v1) that are read. */
const auditEvent = z.object({
  stage: z.string(),
  verb: z.string(),
  user: z.object({ username: z.string().optional() }).optional(),
  userAgent: z.string().optional(),
  objectRef: z
    .object({ resource: z.string().optional(), subresource: z.string().optional() })
    .optional(),
  requestURI: z.string(),
  responseStatus: z.object({ code: z.int().optional() }).optional(),
  requestReceivedTimestamp: z.string(),
  stageTimestamp: z.string(),
});

interface Tally {
  readonly window: StepWindow;
  readonly rows: Map<string, { -readonly [K in keyof ApiRow]: ApiRow[K] }>;
  readonly latencies: number[];
}

/** Reads who asked the API server for what, by step. Rotated files included; a line cut off at the end is skipped. */
export async function readAuditLogs(
  host: Pick<Host, 'files'>,
  paths: readonly string[],
  windows: readonly StepWindow[],
): Promise<readonly ObservationOf<'api'>[]> {
  const tallies = windows.map((window): Tally => ({ window, rows: new Map(), latencies: [] }));
  for (const path of paths)
    for await (const line of host.files.lines(path)) {
      const event = parseEvent(line);
      if (event) count(event, tallies);
    }
  return tallies.map(({ window, rows, latencies }) => ({
    kind: 'api',
    step: window.step,
    source: 'audit-log',
    rows: [...rows.values()].sort((a, b) => b.requests - a.requests),
    latencyMs: latencyOf(latencies),
  }));
}

function parseEvent(line: string): z.infer<typeof auditEvent> | undefined {
  if (line === '') return undefined;
  try {
    return auditEvent.parse(JSON.parse(line));
  } catch {
    return undefined; // the server was still writing this line
  }
}

function count(event: z.infer<typeof auditEvent>, tallies: readonly Tally[]): void {
  const receivedMs = microsecondsOf(event.requestReceivedTimestamp) / 1000;
  const tally = tallies.find(
    ({ window }) => receivedMs >= window.beginWallMs && receivedMs < window.endWallMs,
  );
  if (!tally) return;
  const row = rowOf(event, tally);
  const code = event.responseStatus?.code ?? 0;
  row.requests++;
  if (code === 409) row.conflicts++;
  else if (code === 429) row.throttled++;
  else if (code >= 400) row.failed++;
  if (event.verb !== 'watch')
    tally.latencies.push(
      (microsecondsOf(event.stageTimestamp) - microsecondsOf(event.requestReceivedTimestamp)) /
        1000,
    );
}

function rowOf(event: z.infer<typeof auditEvent>, { rows }: Tally) {
  const { resource, subresource } = event.objectRef ?? {};
  const fields = {
    user: event.user?.username ?? '',
    userAgent: shortAgent(event.userAgent ?? ''),
    verb: event.verb,
    resource:
      resource === undefined
        ? (event.requestURI.split('?')[0] ?? '')
        : subresource === undefined
          ? resource
          : `${resource}/${subresource}`,
  };
  const key = JSON.stringify(fields);
  const row = rows.get(key) ?? { ...fields, requests: 0, conflicts: 0, throttled: 0, failed: 0 };
  rows.set(key, row);
  return row;
}

/** `kube-controller-manager/v1.36.1 (linux/amd64) kubernetes/e5d2a5d/…` → `kube-controller-manager`. */
const shortAgent = (agent: string): string => agent.split(/[ /]/)[0] ?? '';

/** RFC 3339 with microseconds, which Date cuts to milliseconds. */
function microsecondsOf(timestamp: string): number {
  const [, head = '', fraction = ''] = /^(.+?)(?:\.(\d+))?Z$/.exec(timestamp) ?? [];
  return Date.parse(`${head}Z`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

function latencyOf(latencies: readonly number[]): ObservationOf<'api'>['latencyMs'] {
  const sorted = ascending(latencies);
  const [p50, p99, max] = [50, 99, 100].map((p) => nearestRank(sorted, p));
  return p50 === undefined || p99 === undefined || max === undefined ? null : { p50, p99, max };
}
