import { createHash } from 'node:crypto';
import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { formatDuration } from '../base/duration.ts';
import { reasonOf, SimError, systemCodeOf } from '../base/errors.ts';
import { within } from '../base/wait.ts';
import type { Host } from '../host/host.ts';

export interface DownloadTimeouts {
  /** Looking the name up, connecting and, for https, the handshake. */
  readonly connectMs: number;
  /** From the request to the headers of the answer. */
  readonly headersMs: number;
  /** The longest silence within a body. */
  readonly idleMs: number;
}

const TIMEOUTS: DownloadTimeouts = { connectMs: 3000, headersMs: 15_000, idleMs: 30_000 };
const MOST_REDIRECTS = 5;
const LONGEST_TEXT = 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Codes that mean: whoever is there, nobody answers. Asking again would only wait again. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'SIM_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);

type DownloadHost = Pick<Host, 'clock' | 'env' | 'files'>;

interface Answer {
  readonly url: string;
  readonly body: Dispatcher.ResponseData['body'];
  readonly sizeBytes: number | undefined;
}

/** Downloads of one call. A host that could not be reached once is not asked again. */
export class Downloader {
  readonly #host: DownloadHost;
  readonly #signal: AbortSignal | undefined;
  readonly #timeouts: DownloadTimeouts;
  #dispatcher: Dispatcher | undefined;
  readonly #unreachable = new Map<string, string>();

  constructor(
    host: DownloadHost,
    signal: AbortSignal | undefined,
    timeouts: Partial<DownloadTimeouts>,
  ) {
    this.#host = host;
    this.#signal = signal;
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
  }

  /** The text at a URL. Throws SIM_TOOLCHAIN when it cannot be had or is longer than a megabyte. */
  async text(url: string): Promise<string> {
    const answer = await this.#open(url);
    let text = '';
    for await (const chunk of this.#chunks(answer)) {
      text += chunk.toString('utf8');
      if (text.length > LONGEST_TEXT)
        throw new SimError('SIM_TOOLCHAIN', `${url} is too long to be a checksum file`);
    }
    return text;
  }

  /** Writes what is at a URL to a new file. Answers its sha256; throws SIM_TOOLCHAIN when it did not come whole. */
  async save(
    url: string,
    path: string,
    onStart: (sizeBytes: number | undefined) => void,
  ): Promise<string> {
    const answer = await this.#open(url);
    onStart(answer.sizeBytes);
    const hash = createHash('sha256');
    const file = await this.#host.files.openAppend(path);
    try {
      for await (const chunk of this.#chunks(answer)) {
        hash.update(chunk);
        await file.append(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    return hash.digest('hex');
  }

  async close(): Promise<void> {
    await this.#dispatcher?.destroy();
  }

  async #open(url: string): Promise<Answer> {
    let at = url;
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const { statusCode, headers, body } = await this.#request(at);
      if (statusCode === 200) return { url, body, sizeBytes: sizeOf(headers['content-length']) };
      body.on('error', () => undefined); // nobody reads this body any more
      body.destroy();
      const next = REDIRECTS.has(statusCode) ? headers['location'] : undefined;
      if (typeof next !== 'string')
        throw new SimError('SIM_TOOLCHAIN', `${at} answered ${statusCode}`);
      at = redirected(at, next);
    }
    throw new SimError('SIM_TOOLCHAIN', `${url} redirects more than ${MOST_REDIRECTS} times`);
  }

  async #request(url: string): Promise<Dispatcher.ResponseData> {
    const { origin } = new URL(url);
    const known = this.#unreachable.get(origin);
    if (known !== undefined) throw new SimError('SIM_TOOLCHAIN', known);
    try {
      return await this.#send(url);
    } catch (error) {
      this.#signal?.throwIfAborted();
      const reason = `cannot reach ${origin}: ${this.#explain(error)}`;
      if (UNREACHABLE.has(systemCodeOf(error) ?? '')) this.#unreachable.set(origin, reason);
      throw new SimError('SIM_TOOLCHAIN', reason, { cause: error });
    }
  }

  /** The bound around undici's own covers a proxy that takes the connection and says nothing. */
  async #send(url: string): Promise<Dispatcher.ResponseData> {
    this.#dispatcher ??= dispatcherFor(this.#host.env, this.#timeouts);
    const options = {
      dispatcher: this.#dispatcher,
      headers: { 'user-agent': 'cni-sim' },
      signal: this.#signal ?? null,
    };
    const longestMs = 2 * this.#timeouts.connectMs + this.#timeouts.headersMs;
    return within(this.#host.clock, longestMs, 'the answer', request(url, options));
  }

  async *#chunks({ url, body }: Answer): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of body) yield chunk as Buffer;
    } catch (error) {
      this.#signal?.throwIfAborted();
      throw new SimError('SIM_TOOLCHAIN', `${url} was cut off: ${this.#explain(error)}`, {
        cause: error,
      });
    }
  }

  #explain(error: unknown): string {
    const { connectMs, headersMs, idleMs } = this.#timeouts;
    const silence: Readonly<Record<string, string>> = {
      UND_ERR_CONNECT_TIMEOUT: `no connection within ${formatDuration(connectMs)}`,
      UND_ERR_HEADERS_TIMEOUT: `connected, but no answer within ${formatDuration(headersMs)}`,
      UND_ERR_BODY_TIMEOUT: `nothing came for ${formatDuration(idleMs)}`,
    };
    // A host with several addresses fails with one error for each of them and no message of its own.
    const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
    return silence[systemCodeOf(error) ?? ''] ?? reasonOf(first ?? error);
  }
}

/** The variables come from Host, so an empty text stands for "not set": undici would look into the environment. */
function dispatcherFor(env: Host['env'], timeouts: DownloadTimeouts): Dispatcher {
  const variable = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? '';
  const connect = { timeout: timeouts.connectMs };
  try {
    return new EnvHttpProxyAgent({
      httpProxy: variable('HTTP_PROXY'),
      httpsProxy: variable('HTTPS_PROXY'),
      noProxy: variable('NO_PROXY'),
      connect,
      proxyTls: connect,
      requestTls: connect,
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.idleMs,
    });
  } catch (error) {
    const reason = `HTTP_PROXY or HTTPS_PROXY cannot be used: ${reasonOf(error)}`;
    throw new SimError('SIM_TOOLCHAIN', reason, { cause: error });
  }
}

function redirected(from: string, location: string): string {
  const to = new URL(location, from);
  if (from.startsWith('https:') && to.protocol !== 'https:')
    throw new SimError('SIM_TOOLCHAIN', `${from} redirects to ${to.href}, which is not encrypted`);
  return to.href;
}

function sizeOf(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d+$/.test(header) ? Number(header) : undefined;
}
