import type { Clock } from '../base/clock.ts';
import { systemCodeOf } from '../base/errors.ts';
import { ApiError, isGone, UnreadableAnswer } from './api-error.ts';

/** Answers that say "not now": the request was not carried out. */
const NOT_NOW = new Set([429, 503]);
/** Answers that may mean "perhaps": only repeated where repeating does no harm. */
const PERHAPS = new Set([500, 502, 504]);
/** Codes of connections that never came about: nothing was sent. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_ABORTED', // a proxy that cannot reach the server
]);
/** Codes of connections that broke or fell silent, so that the answer is missing or cut off. */
const ANSWER_LOST = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'HPE_INVALID_EOF_STATE',
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

/** Begins a list again, once, when it has become too old to be continued: pages of two lists do not fit together. */
export async function restartedIfGone<T>(list: () => Promise<T>): Promise<T> {
  try {
    return await list();
  } catch (error) {
    if (!isGone(error)) throw error;
    return list();
  }
}

function isPassing(error: unknown, isSafe: boolean): boolean {
  if (error instanceof ApiError && NOT_NOW.has(error.status)) return true;
  if (NEVER_SENT.has(systemCodeOf(error) ?? '')) return true;
  return isSafe && isAnswerLost(error);
}

/** Whether nobody knows if the request was carried out. */
export function isAnswerLost(error: unknown): boolean {
  if (error instanceof ApiError) return PERHAPS.has(error.status);
  return error instanceof UnreadableAnswer || ANSWER_LOST.has(systemCodeOf(error) ?? '');
}

function waitBefore(n: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  if (asked !== undefined && asked > 0) return asked;
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (n - 1));
}
