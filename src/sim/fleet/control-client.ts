import { Agent, request, type Dispatcher } from 'undici';
import type * as z from 'zod';
import { failure } from '../../stubs/fleet/contract.ts';
import { reasonOf, SimError } from '../base/errors.ts';

const TIMEOUT_MS = 30_000;
/** The name has no meaning: there is one server on the socket. */
const ORIGIN = 'http://fleet';

export interface ControlRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** How long the answer takes by its nature, in milliseconds. */
  readonly workMs?: number;
}

/** HTTP to the control API of a fleet. What fails throws SIM_CLUSTER_LOST; what is refused is told apart. */
export class ControlClient {
  readonly #socketPath: string;
  readonly #agent: Agent;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
    this.#agent = new Agent({
      connect: { socketPath, timeout: TIMEOUT_MS },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
  }

  /** The answer, in its shape. Throws SIM_ADDRESSES when the fleet cannot have an address. */
  async send<T>(shape: z.ZodType<T>, wanted: ControlRequest): Promise<T> {
    const { status, text } = await this.#answer(wanted);
    if (status !== 200) throw refused(wanted, status, text);
    return shape.parse(JSON.parse(text));
  }

  /** The same for a GET of something that may not be there: then undefined. */
  async find<T>(shape: z.ZodType<T>, path: string, signal?: AbortSignal): Promise<T | undefined> {
    const wanted: ControlRequest = { method: 'GET', path, signal };
    const { status, text } = await this.#answer(wanted);
    if (status === 404) return undefined;
    if (status !== 200) throw refused(wanted, status, text);
    return shape.parse(JSON.parse(text));
  }

  /** The bytes of an answer that has no end. Ends with an error when the fleet does. */
  async open(path: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const wanted: ControlRequest = { method: 'GET', path, signal };
    const { statusCode, body } = await this.#dispatch(wanted, { bodyTimeout: 0 });
    if (statusCode !== 200) throw refused(wanted, statusCode, await body.text());
    return body;
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #answer(
    wanted: ControlRequest,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const { statusCode, body } = await this.#dispatch(wanted);
    try {
      return { status: statusCode, text: await body.text() };
    } catch (error) {
      wanted.signal?.throwIfAborted();
      throw this.#lost(error, wanted);
    }
  }

  async #dispatch(
    wanted: ControlRequest,
    options: { readonly bodyTimeout?: number } = {},
  ): Promise<Dispatcher.ResponseData> {
    const { method, path, body, signal, workMs = 0 } = wanted;
    try {
      return await request(`${ORIGIN}${path}`, {
        headersTimeout: TIMEOUT_MS + workMs,
        ...options,
        dispatcher: this.#agent,
        method,
        headers: { 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#lost(error, wanted);
    }
  }

  #lost(error: unknown, { method, path }: ControlRequest): SimError {
    const what = `the daemon fleet does not answer ${method} ${path} on ${this.#socketPath}`;
    return new SimError('SIM_CLUSTER_LOST', `${what}: ${reasonOf(error)}`, { cause: error });
  }
}

function refused({ method, path }: ControlRequest, status: number, text: string): SimError {
  const { error, failed = [] } = parseFailure(text);
  if (failed.length === 0)
    return new SimError(
      'SIM_BUG',
      `the daemon fleet refused ${method} ${path}: ${status} ${error}`,
    );
  return new SimError('SIM_ADDRESSES', `the daemon fleet ${error}`, {
    details: failed.slice(1, 6).map(({ problem }) => problem),
    hint: hintFor(status, failed[0]?.port ?? 0),
  });
}

const hintFor = (status: number, port: number): string =>
  status === 409
    ? `\`ss -ltnp 'sport = :${port}'\` lists who has the port; end that program or choose another port for the daemons`
    : 'every daemon needs a socket; `ulimit -n` tells how many a process may have';

function parseFailure(text: string): z.infer<typeof failure> {
  try {
    return failure.parse(JSON.parse(text));
  } catch {
    return { error: text.slice(0, 200) };
  }
}
