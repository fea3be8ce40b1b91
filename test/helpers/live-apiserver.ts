import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { KubeObject } from '../../src/sim/kube/objects.ts';
import { send } from './fake-apiserver.ts';
import { failure, type FakeAnswer } from './fake-objects.ts';
import { LiveObjects, type LiveEvent } from './live-objects.ts';
import { endServer, listenOnLoopback, urlOf } from './loopback-server.ts';

export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
}

interface OpenWatch {
  readonly collection: string;
  readonly selector: string | null;
  readonly response: ServerResponse;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MERGE_PATCH = 'application/merge-patch+json';

/**
 * A small real server on which a controller can live: it keeps objects, carries out writes, and tells every change to
 * the watches that are open. Lists are of one page.
 */
export class LiveApiServer {
  readonly objects = new LiveObjects((event) => {
    if (this.#late.has(event.collection)) this.#held.push(event);
    else this.#tell(event);
  });
  /** All requests that wanted to change something. */
  readonly writes: Write[] = [];
  /** Answers requests by itself where it answers anything. */
  refuses: (method: string, path: string) => FakeAnswer | undefined = () => undefined;
  readonly #watches = new Set<OpenWatch>();
  readonly #server: Server;
  readonly #late = new Set<string>();
  #held: LiveEvent[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<LiveApiServer> {
    const server = new LiveApiServer();
    await listenOnLoopback(server.#server);
    return server;
  }

  get url(): string {
    return urlOf(this.#server);
  }

  /** The writes to a kind, by its plural name. */
  writesTo(plural: string): readonly Write[] {
    return this.writes.filter(({ path }) => path.split('/').includes(plural));
  }

  /** From now on the watches of a collection fall behind, until they are told all at once. */
  holdEvents(collection: string): void {
    this.#late.add(collection);
  }

  tellEvents(): void {
    this.#late.clear();
    for (const event of this.#held.splice(0)) this.#tell(event);
  }

  async stop(): Promise<void> {
    await endServer(this.#server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined); // a client that breaks off is no mistake
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://fake');
    const method = request.method ?? '';
    const body = await text(request);
    if (method === 'GET') {
      if (query.has('watch')) this.#watch(pathname, query, response);
      else send(response, this.refuses(method, pathname) ?? this.#list(pathname, query));
      return;
    }
    const isMerge = request.headers['content-type'] === MERGE_PATCH;
    const answer = this.refuses(method, pathname) ?? this.#change(method, pathname, body, isMerge);
    const parsed: unknown = body === '' ? undefined : JSON.parse(body);
    this.writes.push({ method, path: pathname, body: parsed, status: answer.status });
    send(response, answer);
  }

  #list(collection: string, query: URLSearchParams): FakeAnswer {
    const selector = query.get('labelSelector');
    const items = this.objects.all(collection).filter((object) => isSelected(object, selector));
    const metadata = { resourceVersion: String(this.objects.version) };
    return { status: 200, body: { metadata, items } };
  }

  #watch(collection: string, query: URLSearchParams, response: ServerResponse): void {
    const watch = { collection, selector: query.get('labelSelector'), response };
    const from = Number(query.get('resourceVersion'));
    response.writeHead(200, JSON_TYPE).flushHeaders();
    const held = new Set(this.#held);
    for (const event of this.objects.events)
      if (event.version > from && !held.has(event)) tell(watch, event);
    this.#watches.add(watch);
    response.once('close', () => this.#watches.delete(watch));
  }

  #tell(event: LiveEvent): void {
    for (const watch of this.#watches) tell(watch, event);
  }

  #change(method: string, path: string, body: string, isMerge: boolean): FakeAnswer {
    if (method === 'POST') return this.objects.create(path, JSON.parse(body) as KubeObject);
    const isStatus = path.endsWith('/status');
    const whole = isStatus ? path.slice(0, -'/status'.length) : path;
    const slash = whole.lastIndexOf('/');
    const [collection, name] = [whole.slice(0, slash), whole.slice(slash + 1)];
    if (method === 'DELETE') return this.objects.remove(collection, name);
    if (!isMerge) return failure(415, 'UnsupportedMediaType');
    return this.objects.mergePatch(collection, name, JSON.parse(body) as object as Patch, isStatus);
  }
}

type Patch = Readonly<Record<string, unknown>>;

function tell({ collection, selector, response }: OpenWatch, event: LiveEvent): void {
  if (event.collection !== collection || !isSelected(event.object, selector)) return;
  response.write(`${JSON.stringify({ type: event.type, object: event.object })}\n`);
}

function isSelected({ metadata }: KubeObject, selector: string | null): boolean {
  if (selector === null) return true;
  return selector.split(',').every((part) => {
    const [label = '', value] = part.split('=');
    return metadata.labels?.[label] === value;
  });
}
