import type * as z from 'zod';
import { readBody } from './body.ts';
import type { Answer } from './call.ts';
import {
  addL3Request,
  addressRequest,
  deleteL3Request,
  greetRequest,
  joinRequest,
  route,
  selectRequest,
  type AddressRequest,
  type CallDetail,
  type DaemonPath,
} from './contract.ts';
import type { AddressOutcome } from './allocator.ts';
import type { Daemon } from './daemon.ts';
import { daemonMetrics } from './metrics.ts';
import { rememberLast } from './remember-last.ts';
import { selectInterfaces } from './select-interfaces.ts';

export interface Endpoint {
  readonly path: DaemonPath;
  readonly method: 'GET' | 'POST' | 'any';
  /** `body` is undefined when the request had none. */
  readonly handle: (daemon: Daemon, body: Uint8Array | undefined) => Answer | Promise<Answer>;
}

const post = <T>(
  path: DaemonPath,
  shape: z.ZodType<T>,
  handle: (daemon: Daemon, request: T) => Answer | Promise<Answer>,
): Endpoint => ({
  path,
  method: 'POST',
  handle: (daemon, body) => handle(daemon, readBody(shape, body)),
});

const NO_BYTES = new Uint8Array(0);
const countJoining = rememberLast((body) => readBody(joinRequest, body).hifs.length);

const ROUTES_DONE = { success: true, msg: '' };

const routeAnswer = (daemon: Daemon, success: boolean, problem: string): Answer => ({
  reply: { success, msg: success ? '' : problem },
  detail: { kind: 'route', success, table: daemon.routes.mainTable() },
});

/** The pod and what became of its wish. */
const podDetail = (
  { pod, namespace, def }: Pick<AddressRequest, 'pod' | 'namespace' | 'def'>,
  asked: readonly string[],
  { granted, omitted }: AddressOutcome,
): CallDetail => ({
  kind: 'pod',
  pod,
  namespace,
  network: def,
  asked: [...asked],
  granted: granted.map(({ interface: nic, ip }) => ({ interface: nic, ip })),
  omitted: [...omitted],
});

const addressAnswer = (request: AddressRequest, outcome: AddressOutcome): Answer => ({
  reply: outcome.granted.length === 0 ? null : outcome.granted,
  detail: podDetail(request, request.masters, outcome),
});

/** All paths that a daemon answers. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    path: '/interface',
    method: 'any',
    handle: ({ interfaces }) => ({
      reply: interfaces,
      detail: { kind: 'interface', interfaces: interfaces.length },
    }),
  },
  {
    // The published daemon greets every peer it is told of. Nothing observable follows from that, so it is left out.
    path: '/join',
    method: 'POST',
    handle: (_daemon, body) => ({
      reply: '',
      detail: { kind: 'join', interfaces: countJoining(body ?? NO_BYTES) },
    }),
  },
  post('/greet', greetRequest, () => ({ reply: '', detail: null })),
  post('/addl3', addL3Request, (daemon, { name, routes, force }) => ({
    reply: ROUTES_DONE,
    detail: {
      kind: 'addl3',
      network: name,
      force,
      routes: routes.length,
      table: daemon.routes.add(name, routes, force),
      version: daemon.nextTableVersion(),
    },
  })),
  post('/deletel3', deleteL3Request, (daemon, { name }) => ({
    reply: ROUTES_DONE,
    detail: {
      kind: 'deletel3',
      network: name,
      table: daemon.routes.delete(name),
      version: daemon.nextTableVersion(),
    },
  })),
  post('/addroute', route, (daemon, one) =>
    routeAnswer(daemon, daemon.routes.addOne(one), 'the route exists'),
  ),
  post('/deleteroute', route, (daemon, one) =>
    routeAnswer(daemon, daemon.routes.deleteOne(one), 'there is no such route'),
  ),
  post('/select', selectRequest, (daemon, request) => {
    const masters = selectInterfaces(daemon.interfaces, request);
    const granted = masters.map((nic) => ({ interface: nic, ip: '', block: '' }));
    return {
      reply: { deviceIDs: [], masters },
      detail: podDetail(request, request.args?.masters ?? [], { granted, omitted: [] }),
    };
  }),
  post('/allocate', addressRequest, async (daemon, request) =>
    addressAnswer(request, await daemon.allocator.allocate(request)),
  ),
  post('/deallocate', addressRequest, async (daemon, request) =>
    addressAnswer(request, await daemon.allocator.deallocate(request)),
  ),
  {
    path: '/healthz',
    method: 'GET',
    handle: ({ name }) => ({ reply: { ok: true, name }, detail: null }),
  },
  {
    path: '/metrics',
    method: 'GET',
    handle: (daemon) => ({ reply: daemonMetrics(daemon), isText: true, detail: null }),
  },
];
