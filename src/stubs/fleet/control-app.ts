import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type Response,
} from 'express';
import { reasonOf } from '../../sim/base/errors.ts';
import { some } from '../../sim/base/text.ts';
import { bytesOf, collectBody, readBody, readShape } from '../daemon/body.ts';
import { Refusal, refusalOf } from '../daemon/refusal.ts';
import type { CallLog } from './call-log.ts';
import {
  callsQuery,
  deleteNodesRequest,
  dropRequest,
  putFaultsRequest,
  putInterfacesRequest,
  putNodesRequest,
  restartRequest,
  type FleetHealth,
  type NodeState,
} from './contract.ts';
import type { ChangeResult, Fleet } from './fleet.ts';
import { fleetMetrics } from './metrics.ts';
import { streamLines } from './stream-lines.ts';

/** Five thousand nodes with three NICs each are 3 MB. */
const BODY_LIMIT = '64 MB';
const LINES_AT_ONCE = 500;

/** The control API: see contract.ts. */
export function controlApp(fleet: Fleet, log: CallLog): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(collectBody(BODY_LIMIT));
  app.put('/nodes', async (request, response) => {
    const { nodes } = readBody(putNodesRequest, bytesOf(request));
    const { added, replaced, failed } = await fleet.put(nodes);
    answerChange(response, failed, { added, replaced });
  });
  app.delete('/nodes', async (request, response) => {
    const { names } = readBody(deleteNodesRequest, bytesOf(request));
    response.json(await fleet.remove(names));
  });
  app.get('/nodes/:name', (request, response) => {
    const { name } = request.params;
    response.json(known(name, fleet.state(name)));
  });
  app.put('/nodes/:name/interfaces', (request, response) => {
    const { interfaces } = readBody(putInterfacesRequest, bytesOf(request));
    const { name } = request.params;
    response.json(known(name, fleet.setInterfaces(name, interfaces)));
  });
  addFaultRoutes(app, fleet);
  app.get('/calls', async (request, response) => {
    const lines = log.read(firstCall(request, log), LINES_AT_ONCE);
    await streamLines(lines, response.type('application/x-ndjson'));
  });
  app.get('/healthz', (_request, response) => {
    const { port, size: daemons } = fleet;
    const health: FleetHealth = { ok: true, pid: process.pid, port, daemons, lastCall: log.last };
    response.json(health);
  });
  app.get('/metrics', (_request, response) => {
    response.type('text/plain').send(fleetMetrics(fleet));
  });
  app.use((request) => {
    throw new Refusal(404, `there is no ${request.method} ${request.path}`);
  });
  app.use(answerError);
  return app;
}

function addFaultRoutes(app: Express, fleet: Fleet): void {
  app.put('/faults', async (request, response) => {
    const { names, fault } = readBody(putFaultsRequest, bytesOf(request));
    const { changed, failed } = await fleet.setFault(names, fault ?? undefined);
    answerChange(response, failed, { changed });
  });
  app.post('/drop', (request, response) => {
    const { names } = readBody(dropRequest, bytesOf(request));
    response.json({ dropped: fleet.dropConnections(names) });
  });
  app.post('/restart', async (request, response) => {
    const { names, downMs } = readBody(restartRequest, bytesOf(request));
    const { changed, failed } = await fleet.restart(names, downMs);
    answerChange(response, failed, { restarted: changed });
  });
}

function known(name: string, state: NodeState | undefined): NodeState {
  if (!state) throw new Refusal(404, `there is no daemon for ${name}`);
  return state;
}

function firstCall(request: Request, log: CallLog): number {
  const { from } = readShape(callsQuery, request.query);
  if (from > log.last + 1)
    throw new Refusal(400, `from: ${from} is beyond the next call, which will be ${log.last + 1}`);
  return from;
}

function answerChange(response: Response, failed: ChangeResult['failed'], reply: object): void {
  if (failed.length === 0) response.json(reply);
  else response.status(statusOf(failed)).json({ error: summaryOf(failed), failed });
}

const statusOf = (failed: ChangeResult['failed']): number =>
  failed.every(({ code }) => code === 'EADDRINUSE') ? 409 : 500;

const summaryOf = (failed: ChangeResult['failed']): string =>
  some(
    failed.map(({ problem }) => problem),
    1,
  );

const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const refusal = refusalOf(error, BODY_LIMIT);
  if (response.headersSent) next(error);
  else response.status(refusal?.status ?? 500).json({ error: reasonOf(refusal ?? error) });
};
