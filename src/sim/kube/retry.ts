import type { Clock } from '../base/clock.ts';
import { systemCodeOf } from '../base/errors.ts';
import { ApiError } from './api-error.ts';

/** Answers that say "not now": the request was not carried out. */
const NOT_NOW = new Set([429, 503]);
/** Answers that may mean "perhaps": only repeated where repeating does no harm. */
const PERHAPS = new Set([500, 502, 504]);
/** Codes of connections that were refused, cut or closed. */
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2000;

export interface RetryOptions {
  readonly clock: Clock;
  /** Whether carrying the request out twice does no harm. */
  readonly isSafe: boolean;
  /** No further attempt is begun after this time. */
  readonly budgetMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onRetry?: (error: unknown) => void;
}

/** Repeats a request that failed for a passing reason. A Retry-After is obeyed to the second. */
export async function withRetries<T>(
  options: RetryOptions,
  attempt: (n: number) => Promise<T>,
): Promise<T> {
  const deadline = options.clock.now() + options.budgetMs;
  for (let n = 1; ; n++) {
    try {
      return await attempt(n);
    } catch (error) {
      options.signal?.throwIfAborted();
      const wait = waitBefore(n, error);
      const hopeless = !isPassing(error, options.isSafe) || options.clock.now() + wait > deadline;
      if (hopeless) throw error;
      options.onRetry?.(error);
      await options.clock.sleep(wait, options.signal);
    }
  }
}

function isPassing(error: unknown, isSafe: boolean): boolean {
  if (error instanceof ApiError)
    return NOT_NOW.has(error.status) || (isSafe && PERHAPS.has(error.status));
  return isConnectionFailure(error) && (isSafe || systemCodeOf(error) === 'ECONNREFUSED');
}

/** Whether the connection failed, so that nobody knows whether the request was carried out. */
export const isConnectionFailure = (error: unknown): boolean =>
  CONNECTION_CODES.has(systemCodeOf(error) ?? '');

function waitBefore(n: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  return asked ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (n - 1));
}
