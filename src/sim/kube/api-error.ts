import { reasonOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';

/** The API server answered with a failure. Connection failures are not of this kind. */
export class ApiError extends Error {
  readonly status: number;
  /** The machine-readable reason of the Status object, such as `AlreadyExists`. */
  readonly reason: string;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(what: string, status: number, body: string, retryAfter: string | undefined) {
    const { reason, message } = parseStatus(body);
    super(
      `${what}: ${status}${reason === '' ? '' : ` ${reason}`}${message === '' ? '' : `: ${message}`}`,
    );
    this.name = 'ApiError';
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : undefined;
  }
}

/** An answer that says success and then cannot be read: cut off, or not JSON. */
export class UnreadableAnswer extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what}: the answer cannot be read: ${reasonOf(cause)}`, { cause });
    this.name = 'UnreadableAnswer';
  }
}

function parseStatus(body: string): { readonly reason: string; readonly message: string } {
  try {
    const status: unknown = JSON.parse(body);
    if (isRecord(status))
      return {
        reason: typeof status['reason'] === 'string' ? status['reason'] : '',
        message: typeof status['message'] === 'string' ? status['message'] : '',
      };
  } catch {
    // Not every failure is a Status: proxies and overload answer in plain text.
  }
  return { reason: '', message: body.slice(0, 200).trim() };
}

const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

export const isNotFound = (error: unknown): boolean => hasStatus(error, 404);
export const isConflict = (error: unknown): boolean => hasStatus(error, 409);
/** The version or the page that was asked for is too old: begin from the start. */
export const isGone = (error: unknown): boolean => hasStatus(error, 410);
