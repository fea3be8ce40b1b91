import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { ResourceKind } from '../model/operator-profile.ts';
import { accessFromFile } from './access.ts';
import { ApiError, isConflict, isNotFound, UnreadableAnswer } from './api-error.ts';
import { collectionPath, objectPath, type KubeList, type KubeObject } from './objects.ts';
import { isAnswerLost, restartedIfGone, withRetries } from './retry.ts';
import {
  Transport,
  type RawRequest,
  type RawResponse,
  type TransportOptions,
} from './transport.ts';

/** The merge and apply patches of Kubernetes, by their content types. */
export const PATCH = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

const FIELD_MANAGER = 'cni-sim';
const PAGE = 500;

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface KubeClientOptions {
  readonly clock: Clock;
  readonly userAgent: string;
  readonly connections?: number;
  readonly onAnswer?: TransportOptions['onAnswer'];
  /** How long a request is repeated for passing reasons. */
  readonly retryBudgetMs?: number;
  /** The context of the kubeconfig; left out: its current one. */
  readonly context?: string | undefined;
}

/**
 * Requests for Kubernetes objects as they are, without typed classes that would drop unknown fields. Failures of the
 * server throw ApiError; what can be repeated is repeated.
 */
export class KubeClient {
  readonly transport: Transport;
  readonly #clock: Clock;
  readonly #retryBudgetMs: number;
  #retries = 0;

  constructor(transport: Transport, options: KubeClientOptions) {
    this.transport = transport;
    this.#clock = options.clock;
    this.#retryBudgetMs = options.retryBudgetMs ?? 10_000;
  }

  static async fromFile(path: string, options: KubeClientOptions): Promise<KubeClient> {
    const { userAgent, connections, onAnswer } = options;
    const access = await accessFromFile(path, options.context);
    const transport = new Transport(access, {
      userAgent,
      onAnswer,
      ...(connections === undefined ? {} : { connections }),
    });
    return new KubeClient(transport, options);
  }

  /** How often a request had to be repeated. */
  get retries(): number {
    return this.#retries;
  }

  async get(
    of: ResourceKind,
    name: string,
    namespace?: string,
    { signal }: CallOptions = {},
  ): Promise<KubeObject | undefined> {
    const path = objectPath(of, name, namespace);
    try {
      return await this.#json<KubeObject>({ method: 'GET', path, signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /**
   * One page after the other: a long list in one answer would hold up the event loop. Throws a 410 when the list has
   * become too old to be continued; what came until then is to be forgotten.
   */
  async *pages(of: ResourceKind, options: ListOptions = {}): AsyncGenerator<KubeList> {
    let next: string | undefined;
    do {
      const page: KubeList = await this.#json<KubeList>({
        method: 'GET',
        path: collectionPath(of, options.namespace),
        query: {
          limit: PAGE,
          continue: next,
          labelSelector: options.labelSelector,
          fieldSelector: options.fieldSelector,
        },
        signal: options.signal,
      });
      yield page;
      next = page.metadata.continue;
    } while (next !== undefined && next !== '');
  }

  list(of: ResourceKind, options: ListOptions = {}): Promise<readonly KubeObject[]> {
    return restartedIfGone(async () => {
      const items: KubeObject[] = [];
      for await (const page of this.pages(of, options)) items.push(...page.items);
      return items;
    });
  }

  /** Creates an object. When an answer was lost on the way, the object that is there then is ours. */
  async create(
    of: ResourceKind,
    object: KubeObject | JsonObject,
    options: CallOptions & { readonly namespace?: string; readonly name: string },
  ): Promise<KubeObject> {
    let answerLost = false;
    const request: RawRequest = {
      method: 'POST',
      path: collectionPath(of, options.namespace),
      body: JSON.stringify(object),
      signal: options.signal,
    };
    return this.#retried(true, options.signal, async () => {
      try {
        return await this.#parse<KubeObject>(request, await this.transport.send(request));
      } catch (error) {
        if (isAnswerLost(error)) answerLost = true;
        const existing =
          answerLost && isConflict(error)
            ? await this.get(of, options.name, options.namespace)
            : undefined;
        if (existing) return existing;
        throw error;
      }
    });
  }

  /** Creates a subresource, such as the token of a ServiceAccount. Not repeated when its answer was lost. */
  createSubresource(
    of: ResourceKind,
    name: string,
    subresource: string,
    object: JsonObject,
    options: CallOptions & { readonly namespace?: string } = {},
  ): Promise<KubeObject> {
    return this.#json<KubeObject>({
      method: 'POST',
      path: `${objectPath(of, name, options.namespace)}/${subresource}`,
      body: JSON.stringify(object),
      signal: options.signal,
    });
  }

  /** A JSON patch is not repeated when its answer was lost: appending twice is not the same as once. */
  patch(
    of: ResourceKind,
    name: string,
    type: keyof typeof PATCH,
    body: unknown,
    options: CallOptions & { readonly namespace?: string; readonly subresource?: string } = {},
  ): Promise<KubeObject> {
    const path = objectPath(of, name, options.namespace);
    return this.#json<KubeObject>({
      method: 'PATCH',
      path: options.subresource === undefined ? path : `${path}/${options.subresource}`,
      query: type === 'apply' ? { fieldManager: FIELD_MANAGER, force: true } : {},
      body: JSON.stringify(body),
      contentType: PATCH[type],
      signal: options.signal,
    });
  }

  /** Deletes an object; one that is not there is no error. */
  async delete(
    of: ResourceKind,
    name: string,
    options: CallOptions & {
      readonly namespace?: string;
      readonly gracePeriodSeconds?: number;
    } = {},
  ): Promise<void> {
    const { namespace, gracePeriodSeconds, signal } = options;
    try {
      await this.#json({
        method: 'DELETE',
        path: objectPath(of, name, namespace),
        query: { gracePeriodSeconds },
        signal,
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Any GET, as text: `/readyz`, `/metrics`, `/version`. Not repeated. */
  async getText(path: string, options: CallOptions = {}): Promise<string> {
    const request: RawRequest = { method: 'GET', path, signal: options.signal };
    const response = await this.transport.send(request);
    const body = await response.body.text();
    if (response.status >= 300) throw apiError(request, response, body);
    return body;
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  #json<T = unknown>(request: RawRequest): Promise<T> {
    const isSafe = request.method !== 'POST' && request.contentType !== PATCH.json;
    return this.#retried(isSafe, request.signal, async () =>
      this.#parse<T>(request, await this.transport.send(request)),
    );
  }

  #retried<T>(isSafe: boolean, signal: AbortSignal | undefined, attempt: () => Promise<T>) {
    return withRetries(
      {
        clock: this.#clock,
        isSafe,
        budgetMs: this.#retryBudgetMs,
        signal,
        onRetry: () => this.#retries++,
      },
      attempt,
    );
  }

  async #parse<T>(request: RawRequest, response: RawResponse): Promise<T> {
    const body = await response.body.text();
    if (response.status >= 300) throw apiError(request, response, body);
    try {
      return JSON.parse(body) as T;
    } catch (error) {
      throw new UnreadableAnswer(`${request.method} ${request.path}`, error);
    }
  }
}

export function apiError(
  request: RawRequest,
  { status, headers }: RawResponse,
  body: string,
): ApiError {
  const retryAfter = headers['retry-after'];
  return new ApiError(
    `${request.method} ${request.path}`,
    status,
    body,
    Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
  );
}
