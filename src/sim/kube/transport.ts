import { Pool, ProxyAgent, type Dispatcher } from 'undici';
import { SimError } from '../base/errors.ts';
import type { AuthHeaders, ClusterAccess } from './access.ts';

export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From `/api` or `/apis` on, without a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: string;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Dispatcher.ResponseData['body'];
}

export interface TransportOptions {
  /** Connections kept open for requests. Watches have their own, one each. */
  readonly connections?: number;
  readonly userAgent: string;
  /** Bounds the wait for the first byte of an answer. */
  readonly timeoutMs?: number;
  /** Told of every request when it is answered; without a status when it never was. */
  readonly onAnswer?: ((method: string, status: number | undefined) => void) | undefined;
}

/**
 * HTTP to one API server over a pool of connections. The client library opens a new TLS connection for every
 * request, which at a thousand nodes would measure sim instead of the operator.
 */
export class Transport {
  readonly #access: ClusterAccess;
  readonly #userAgent: string;
  readonly #onAnswer: TransportOptions['onAnswer'];
  readonly #requests: Dispatcher;
  readonly #watches: Dispatcher;

  constructor(access: ClusterAccess, options: TransportOptions) {
    this.#access = access;
    this.#userAgent = options.userAgent;
    this.#onAnswer = options.onAnswer;
    const timeoutMs = options.timeoutMs ?? 30_000;
    this.#requests = dispatcher(access, {
      connections: options.connections ?? 32,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    // A quiet watch is no dead watch: the reflector has its own limit.
    this.#watches = dispatcher(access, { headersTimeout: timeoutMs, bodyTimeout: 0 });
  }

  /** Sends a request once. Rejects when the connection fails; any status is an answer. */
  send(request: RawRequest): Promise<RawResponse> {
    return this.#dispatch(this.#requests, request);
  }

  /** The same on a connection of its own, whose body may stay silent for long. */
  open(request: RawRequest): Promise<RawResponse> {
    return this.#dispatch(this.#watches, request);
  }

  /** Breaks off what is under way and closes all connections. */
  async close(): Promise<void> {
    await Promise.all([this.#requests.destroy(), this.#watches.destroy()]);
  }

  async #dispatch(via: Dispatcher, request: RawRequest): Promise<RawResponse> {
    const headers = await this.#access.authHeaders();
    const response = await this.#once(via, request, headers);
    if (response.status !== 401) return response;
    await response.body.dump(); // the token may have expired: ask for a new one, once
    return this.#once(via, request, await this.#access.authHeaders(headers));
  }

  async #once(via: Dispatcher, request: RawRequest, auth: AuthHeaders): Promise<RawResponse> {
    try {
      const response = await this.#answer(via, request, auth);
      this.#onAnswer?.(request.method, response.status);
      return response;
    } catch (error) {
      this.#onAnswer?.(request.method, undefined);
      throw error;
    }
  }

  async #answer(via: Dispatcher, request: RawRequest, auth: AuthHeaders): Promise<RawResponse> {
    const { statusCode, headers, body } = await via.request({
      origin: this.#access.origin,
      path: this.#access.basePath + request.path + queryText(request.query),
      method: request.method,
      headers: {
        accept: 'application/json',
        'user-agent': this.#userAgent,
        ...(request.body === undefined
          ? {}
          : { 'content-type': request.contentType ?? 'application/json' }),
        ...auth,
      },
      body: request.body ?? null,
      signal: request.signal ?? null,
    });
    return { status: statusCode, headers, body };
  }
}

function dispatcher(
  { origin, proxyUrl, tls }: ClusterAccess,
  options: {
    readonly connections?: number;
    readonly headersTimeout: number;
    readonly bodyTimeout: number;
  },
): Dispatcher {
  if (proxyUrl === undefined) return new Pool(origin, { ...options, connect: tls });
  if (!/^https?:/.test(proxyUrl) || !URL.canParse(proxyUrl))
    throw new SimError(
      'SIM_API',
      `the proxy ${withoutPassword(proxyUrl)} of the kubeconfig is not an HTTP proxy`,
      { hint: 'sim reaches clusters directly or through an http:// or https:// proxy-url' },
    );
  return new ProxyAgent({ uri: proxyUrl, ...options, requestTls: tls });
}

const withoutPassword = (url: string): string => url.replace(/\/\/[^/@]*@/, '//');

function queryText(query: RawRequest['query']): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {}))
    if (value !== undefined) parameters.set(key, String(value));
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
