import type { IncomingMessage } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Clock } from '../../sim/base/clock.ts';
import { SimError } from '../../sim/base/errors.ts';
import { bytesOf, collectBody } from './body.ts';
import { Call, type UnnumberedCall } from './call.ts';
import type { Daemon } from './daemon.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { HEALTHY } from './faults.ts';
import { Refusal, refusalOf } from './refusal.ts';

/** The NICs of ten thousand nodes in one `/join` are 5 MB. */
const BODY_LIMIT = '16 MB';

export interface DaemonAppOptions {
  /** The daemon at an address; undefined when there is none. */
  readonly find: (address: string) => Daemon | undefined;
  readonly record: (call: UnnumberedCall) => void;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Answers for any number of daemons. Which one is called follows from the local address of the connection, so that
 * one program with one port can stand for all nodes of a cluster.
 */
export function daemonApp(options: DaemonAppOptions): Express {
  const calls = new WeakMap<IncomingMessage, Call>();
  const callOf = (request: IncomingMessage): Call => {
    const call = calls.get(request);
    if (!call) throw new SimError('SIM_BUG', 'a call was not begun');
    return call;
  };
  const body = collectBody(BODY_LIMIT);
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
  app.use(beginCall(options, calls));
  for (const endpoint of ENDPOINTS) {
    app[methodOf(endpoint)](endpoint.path, body, answer(endpoint, callOf));
    app.all(endpoint.path, refuseMethod(endpoint));
  }
  app.use(refusePath);
  app.use(failCall(calls));
  return app;
}

const beginCall =
  (
    { find, record, clock }: DaemonAppOptions,
    calls: WeakMap<IncomingMessage, Call>,
  ): RequestHandler =>
  (request, response, next) => {
    const address = localAddress(request);
    const daemon = find(address);
    const call = new Call(request, response, { daemon, record, clock });
    calls.set(request, call);
    if (!daemon) throw new Refusal(421, `no daemon has the address ${address}`);
    const behaviour = daemon.behaviourOn(call.path);
    if (behaviour !== HEALTHY) call.fault = behaviour.name;
    behaviour.intercept({ request, response, path: call.path }, () => {
      next();
    });
  };

/** Sockets that listen on all addresses of both families see IPv4 addresses in IPv6's clothes. */
const localAddress = ({ socket }: IncomingMessage): string =>
  (socket.localAddress ?? '').replace(/^::ffff:/, '');

const methodOf = ({ method }: Endpoint): 'all' | 'get' | 'post' =>
  (({ any: 'all', GET: 'get', POST: 'post' }) as const)[method];

const answer =
  ({ handle }: Endpoint, callOf: (request: IncomingMessage) => Call): RequestHandler =>
  async (request) => {
    const call = callOf(request);
    const { daemon } = call;
    const bytes = bytesOf(request);
    if (bytes) call.requestBytes = bytes.length;
    if (daemon) await call.handle(() => handle(daemon, bytes));
  };

const refuseMethod =
  ({ path, method }: Endpoint): RequestHandler =>
  (request) => {
    throw new Refusal(405, `${path} takes ${method}, not ${request.method}`, method);
  };

const refusePath: RequestHandler = (request) => {
  const known = ENDPOINTS.map(({ path }) => path).join(', ');
  throw new Refusal(404, `there is no ${request.path.slice(0, 200)}, only ${known}`);
};

const failCall =
  (calls: WeakMap<IncomingMessage, Call>): ErrorRequestHandler =>
  (error: unknown, request, _response, next) => {
    const call = calls.get(request);
    if (call) call.fail(refusalOf(error, BODY_LIMIT) ?? error);
    else next(error);
  };
