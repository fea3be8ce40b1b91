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
    const seconds = Number(retryAfter);
    this.retryAfterMs = retryAfter !== undefined && seconds >= 0 ? seconds * 1000 : undefined;
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

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

export const isNotFound = (error: unknown): boolean => hasStatus(error, 404);
export const isConflict = (error: unknown): boolean => hasStatus(error, 409);
