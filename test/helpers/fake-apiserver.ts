import { once } from 'node:events';
import { createServer as createPlain, type IncomingHttpHeaders } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createSecure, type ServerOptions } from 'node:https';
import { TLSSocket } from 'node:tls';
import { systemCodeOf } from '../../src/sim/base/errors.ts';
import { eventually } from './eventually.ts';
import { FakeObjects, failure, type FakeAnswer } from './fake-objects.ts';
import { FakeWatch } from './fake-watch.ts';

export interface SeenRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The port of the client, which tells its connections apart. */
  readonly connection: number;
  /** The common name of the client's certificate. */
  readonly clientName: string | undefined;
}

export interface Exchange {
  readonly response: ServerResponse;
  /** Does what was asked, without an answer. */
  readonly carryOut: () => FakeAnswer;
}

/** Something other than the usual answer. See fake-troubles.ts. */
export type Trouble = (exchange: Exchange) => void;

/**
 * A small real server that speaks as much of the Kubernetes API as sim uses: it keeps objects, lists in pages, and
 * opens watches for the test to write into. Troubles are used up one by one by the requests that come.
 */
export class FakeApiServer {
  readonly objects = new FakeObjects();
  readonly requests: SeenRequest[] = [];
  readonly watches: FakeWatch[] = [];
  /** For the next requests that are no watches. */
  readonly troubles: Trouble[] = [];
  /** For the next watches. */
  readonly watchTroubles: Trouble[] = [];
  /** The one bearer token that is accepted; undefined accepts everybody. */
  token: string | undefined;
  readonly #tls: ServerOptions | undefined;
  readonly #basePath: string;
  #server: Server | undefined;
  #port = 0;
  /** A mistake of the test itself, told when it stops the server. */
  #mistake: unknown;

  private constructor(tls: ServerOptions | undefined, basePath: string) {
    this.#tls = tls;
    this.#basePath = basePath;
  }

  static async start(
    options: { readonly tls?: ServerOptions; readonly basePath?: string } = {},
  ): Promise<FakeApiServer> {
    const server = new FakeApiServer(options.tls, options.basePath ?? '');
    await server.start();
    return server;
  }

  get url(): string {
    return `${this.#tls ? 'https' : 'http'}://127.0.0.1:${this.#port}${this.#basePath}`;
  }

  /** The requests that were no watches. */
  get calls(): readonly SeenRequest[] {
    return this.requests.filter(({ query }) => !query.has('watch'));
  }

  get connections(): number {
    return new Set(this.requests.map(({ connection }) => connection)).size;
  }

  /** The nth watch, counted from one, once it was asked for. */
  watch(n: number): Promise<FakeWatch> {
    return eventually(`watch number ${n}`, () => this.watches[n - 1]);
  }

  /** Listens, on the same port as before if there was one. */
  async start(): Promise<void> {
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      this.#answer(request, response).catch((error: unknown) => {
        // A client that breaks off while it asks is no mistake.
        if (systemCodeOf(error) !== 'ECONNRESET') this.#mistake ??= error;
        response.destroy();
      });
    };
    const server = this.#tls ? createSecure(this.#tls, answer) : createPlain(answer);
    this.#port = await listen(server, this.#port);
    this.#server = server;
  }

  /** Goes away as a killed process would: connections break, new ones are refused. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    if (this.#mistake !== undefined) throw this.#mistake as Error;
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined); // a client that breaks off is part of the tests
    const request = await this.#see(message);
    this.requests.push(request);
    const isWatch = request.query.has('watch');
    const trouble = isWatch ? this.watchTroubles.shift() : this.troubles.shift();
    const carryOut = (): FakeAnswer => this.objects.carryOut(request);
    if (this.token !== undefined && request.headers.authorization !== `Bearer ${this.token}`)
      send(response, failure(401, 'Unauthorized'));
    else if (trouble) trouble({ response, carryOut });
    else if (isWatch) this.watches.push(new FakeWatch(request, response));
    else send(response, carryOut());
  }

  async #see(message: IncomingMessage): Promise<SeenRequest> {
    const { socket } = message; // it is gone from the message once the client has broken off
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const url = new URL(message.url ?? '', 'http://fake');
    const isOurs = url.pathname.startsWith(this.#basePath);
    return {
      method: message.method ?? '',
      path: isOurs ? url.pathname.slice(this.#basePath.length) : `outside:${url.pathname}`,
      query: url.searchParams,
      headers: message.headers,
      body: Buffer.concat(chunks).toString(),
      connection: socket.remotePort ?? 0,
      clientName: socket instanceof TLSSocket ? commonName(socket) : undefined,
    };
  }
}

export function send(
  response: ServerResponse,
  { status, body }: FakeAnswer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

const commonName = (socket: TLSSocket): string | undefined =>
  (socket.getPeerCertificate() as { subject?: { CN?: string } }).subject?.CN;

/**
 * Below the ports that the kernel gives to clients: a client that keeps calling a port of that range while nobody
 * listens there can end up connected to itself.
 */
async function listen(server: Server, wanted: number): Promise<number> {
  for (;;) {
    const port = wanted === 0 ? 20_000 + Math.floor(Math.random() * 10_000) : wanted;
    server.listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return port;
    } catch (error) {
      if (wanted !== 0 || systemCodeOf(error) !== 'EADDRINUSE') throw error;
    }
  }
}
