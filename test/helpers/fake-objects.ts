import { PATCH } from '../../src/sim/kube/client.ts';
import type { KubeObject } from '../../src/sim/kube/objects.ts';
import type { SeenRequest } from './fake-apiserver.ts';

export interface FakeAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A Status object as the API server answers failures with. */
export const failure = (status: number, reason: string, message = reason): FakeAnswer => ({
  status,
  body: { kind: 'Status', status: 'Failure', code: status, reason, message },
});

/** The objects of the fake server, by their paths. Every write makes a new version. */
export class FakeObjects {
  readonly #byPath = new Map<string, KubeObject>();
  #version = 0;
  /** Continue tokens of an older era have expired. */
  #era = 0;

  get version(): string {
    return String(this.#version);
  }

  /** Puts an object there without a request. Answers it with its new version. */
  put(
    collection: string,
    name: string,
    fields: Readonly<Record<string, unknown>> = {},
  ): KubeObject {
    const resourceVersion = String(++this.#version);
    const object = { ...fields, metadata: { name, resourceVersion } };
    this.#byPath.set(`${collection}/${name}`, object);
    return object;
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  remove(path: string): void {
    this.#byPath.delete(path);
    this.#version++;
  }

  expireContinueTokens(): void {
    this.#era++;
  }

  carryOut({ method, path, query, headers, body }: SeenRequest): FakeAnswer {
    switch (method) {
      case 'GET':
        // Every list that sim asks for is paged, so a limit tells a list from an object.
        return query.has('limit') ? this.#list(path, query) : this.#get(path);
      case 'POST':
        return this.#create(path, body);
      case 'DELETE':
        return this.#delete(path);
      case 'PATCH':
        if (headers['content-type'] === PATCH.apply) return this.#apply(path, body);
        return this.#get(path.replace(/\/status$/, '')); // a status is the object's
      default:
        return this.#get(path);
    }
  }

  #get(path: string): FakeAnswer {
    const object = this.#byPath.get(path);
    return object ? { status: 200, body: object } : failure(404, 'NotFound');
  }

  #list(collection: string, query: URLSearchParams): FakeAnswer {
    const token = query.get('continue');
    const [era, version, from] = (token ?? `${this.#era}.${this.version}.0`).split('.').map(Number);
    if (era !== this.#era)
      return failure(410, 'Expired', 'the provided continue token has expired');
    const all = [...this.#byPath].filter(([path]) => isMember(path, collection));
    const end = from! + Number(query.get('limit'));
    return {
      status: 200,
      body: {
        metadata: {
          resourceVersion: String(version),
          ...(end < all.length ? { continue: `${era}.${version}.${end}` } : {}),
        },
        items: all.slice(from, end).map(([, object]) => object),
      },
    };
  }

  #create(collection: string, body: string): FakeAnswer {
    const object = JSON.parse(body) as KubeObject;
    const { name } = object.metadata;
    if (this.has(`${collection}/${name}`)) return failure(409, 'AlreadyExists');
    return { status: 201, body: this.put(collection, name, object) };
  }

  #apply(path: string, body: string): FakeAnswer {
    const { metadata: _, ...fields } = JSON.parse(body) as KubeObject;
    const [name = '', ...collection] = path.split('/').toReversed();
    return { status: 200, body: this.put(collection.toReversed().join('/'), name, fields) };
  }

  #delete(path: string): FakeAnswer {
    if (!this.has(path)) return failure(404, 'NotFound');
    this.remove(path);
    return { status: 200, body: { kind: 'Status', status: 'Success' } };
  }
}

const isMember = (path: string, collection: string): boolean =>
  path.startsWith(`${collection}/`) && !path.slice(collection.length + 1).includes('/');
