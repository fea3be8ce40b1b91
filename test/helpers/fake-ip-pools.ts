import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { send, type Trouble } from './fake-apiserver.ts';
import { failure, type FakeAnswer } from './fake-objects.ts';
import { endServer, listenOnLoopback, urlOf } from './loopback-server.ts';

const COLLECTION = '/apis/multinic.fms.io/v1/ippools';

export interface Row {
  readonly pod: string;
  readonly namespace: string;
  readonly index: number;
  readonly address: string;
}

/** What a test says about a pool; the rest follows. */
export interface PoolSettings {
  readonly host: string;
  readonly network?: string;
  readonly nic: string;
  readonly podCIDR: string;
  readonly vlanCIDR?: string;
  readonly excludes?: readonly string[] | null;
  readonly allocations?: readonly Row[] | null;
}

interface IpPoolObject {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>> & { allocations: readonly Row[] | null };
}

/**
 * A small real server that speaks as much of the Kubernetes API as daemons use: it lists IPPools by labels and carries
 * out their JSON patches. Troubles are used up one by one by the requests that come.
 */
export class FakeIpPools {
  readonly lists: URLSearchParams[] = [];
  readonly patches: { readonly pool: string; readonly contentType: string }[] = [];
  readonly listTroubles: Trouble[] = [];
  readonly patchTroubles: Trouble[] = [];
  readonly #pools = new Map<string, IpPoolObject>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<FakeIpPools> {
    const pools = new FakeIpPools();
    await listenOnLoopback(pools.#server);
    return pools;
  }

  get url(): string {
    return urlOf(this.#server);
  }

  /** Puts a pool there, and answers its name. */
  put(settings: PoolSettings): string {
    const { host, network = 'net', nic, podCIDR, vlanCIDR = '192.168.0.0/18' } = settings;
    const { excludes = [], allocations = [] } = settings;
    const name = `${network}-${podCIDR.replace('/', '-')}`;
    this.#pools.set(name, {
      metadata: { name, labels: { hostname: host, netname: network } },
      spec: {
        podCIDR,
        vlanCIDR,
        netAttachDef: network,
        hostName: host,
        interfaceName: nic,
        excludes,
        allocations,
      },
    });
    return name;
  }

  rows(name: string): readonly Row[] {
    return this.#pools.get(name)?.spec.allocations ?? [];
  }

  async stop(): Promise<void> {
    await endServer(this.#server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const url = new URL(request.url ?? '', 'http://fake');
    const body = await text(request);
    const isPatch = request.method === 'PATCH';
    const pool = url.pathname.slice(COLLECTION.length + 1);
    if (isPatch) this.patches.push({ pool, contentType: request.headers['content-type'] ?? '' });
    else this.lists.push(url.searchParams);
    const carryOut = (): FakeAnswer =>
      isPatch ? this.#patch(pool, body) : this.#list(url.searchParams);
    const trouble = isPatch ? this.patchTroubles.shift() : this.listTroubles.shift();
    if (trouble) trouble({ response, carryOut });
    else send(response, carryOut());
  }

  #list(query: URLSearchParams): FakeAnswer {
    const wanted = (query.get('labelSelector') ?? '').split(',').map((part) => part.split('='));
    const items = [...this.#pools.values()].filter(({ metadata: { labels } }) =>
      wanted.every(([label = '', value]) => labels[label] === value),
    );
    return { status: 200, body: { metadata: { resourceVersion: '1' }, items } };
  }

  #patch(name: string, body: string): FakeAnswer {
    const pool = this.#pools.get(name);
    if (!pool) return failure(404, 'NotFound', `ippools "${name}" not found`);
    const [{ op, path, value }] = JSON.parse(body) as [
      { op: string; path: string; value: readonly Row[] },
    ];
    if (op !== 'replace' || path !== '/spec/allocations') return failure(422, 'Invalid');
    pool.spec.allocations = value;
    return { status: 200, body: pool };
  }
}
