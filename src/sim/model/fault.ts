import * as z from 'zod';

const ms = z.number().nonnegative();
const paths = z.array(z.string()).optional();

/** What a daemon does to those who call it. Where `paths` are given, only on these. */
const daemonFault = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('latency'),
    delayMs: ms,
    spread: z.enum(['fixed', 'uniform', 'exponential']),
    paths,
  }),
  z.object({ kind: z.literal('hang'), paths }),
  z.object({ kind: z.literal('refuse') }),
  z.object({ kind: z.literal('reset'), paths }),
  z.object({ kind: z.literal('error'), status: z.int(), paths }),
  z.object({ kind: z.literal('malformed'), paths }),
  z.object({ kind: z.literal('empty'), paths }),
]);
export type DaemonFault = z.infer<typeof daemonFault>;

/** Something that is wrong with nodes, or with what answers for them, until it is healed. */
export const fault = z.discriminatedUnion('kind', [
  ...daemonFault.options,
  /** Connections that are open break; that is all. */
  z.object({ kind: z.literal('drop') }),
  /** Every start of the daemon takes so long: it refuses meanwhile. */
  z.object({ kind: z.literal('slow-start'), delayMs: ms }),
  /** The daemon tells other addresses of its NICs. */
  z.object({ kind: z.literal('address') }),
  z.object({ kind: z.literal('missing-nic'), interface: z.string() }),
  z.object({ kind: z.literal('extra-nic'), interface: z.string() }),
  /** The daemon's pod is not Ready, whatever it answers. */
  z.object({ kind: z.literal('not-ready') }),
]);
export type Fault = z.infer<typeof fault>;
export type FaultKind = Fault['kind'];

/** Every kind, in the order of the documentation. */
export const FAULT_KINDS = fault.options.map(({ shape }) => shape.kind.value);

const UNREACHABLE: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'hang',
  'refuse',
  'reset',
  'error',
  'malformed',
  'empty',
  'not-ready',
]);

/** Whether the operator cannot be expected to serve a node while it lasts. */
export const excusesNode = (kind: string): boolean => UNREACHABLE.has(kind as FaultKind);

/** The faults that a daemon has by itself, rather than its NICs, its pod or its start. */
export const isDaemonFault = (one: Fault): one is DaemonFault =>
  daemonFault.options.some(({ shape }) => shape.kind.value === one.kind);

/** Whether it is over as soon as it was done. */
export const isMomentary = ({ kind }: Fault): boolean => kind === 'drop';

/** Two that cannot be there at once: one has taken the other's place. */
export const faultKey = (one: Fault): string =>
  isDaemonFault(one) ? 'daemon' : 'interface' in one ? `${one.kind} ${one.interface}` : one.kind;

/** For people: `hang`, `error 503 on /interface`, `latency 200ms`, `missing-nic eth2`. */
export function formatFault(one: Fault): string {
  const parts: string[] = [one.kind];
  if ('status' in one) parts.push(String(one.status));
  if ('delayMs' in one) parts.push(`${one.delayMs}ms`);
  if ('interface' in one) parts.push(one.interface);
  if ('paths' in one && one.paths) parts.push(`on ${one.paths.join(', ')}`);
  return parts.join(' ');
}

/** The address that a NIC has while `address` lasts: in the upper half of the same /16, where no other is. */
export const movedAddress = (hostIP: string): string =>
  hostIP.replace(
    /^(\d+\.\d+)\.(\d+)\./,
    (_, net: string, third: string) => `${net}.${(Number(third) + 128) % 256}.`,
  );
