import { ERRORS, type ErrorCode } from './error-catalogue.ts';
import type { ExitCode } from './exit-codes.ts';

export interface SimErrorOptions {
  /** What the reader can do about it. */
  readonly hint?: string;
  /** More lines for the terminal, for example the end of a log. */
  readonly details?: readonly string[];
  readonly cause?: unknown;
  /** Overrides the exit code of the catalogue (only signals need this). */
  readonly exitCode?: ExitCode;
}

/**
 * The one error class: something broke, as opposed to a check that failed (which is a verdict, not an error).
 * The message says what failed and why, in lower case and without a full stop.
 */
export class SimError extends Error {
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  readonly details: readonly string[];

  constructor(code: ErrorCode, message: string, options: SimErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SimError';
    this.code = code;
    this.exitCode = options.exitCode ?? ERRORS[code].exitCode;
    this.hint = options.hint;
    this.details = options.details ?? [];
  }
}

/** The message of anything that was thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return String(error);
}

/** The `code` of a Node.js system error, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** Wraps what was thrown, unless it already is a SimError, which keeps its own meaning. */
export function asSimError(error: unknown, code: ErrorCode, doing: string): SimError {
  if (error instanceof SimError) return error;
  return new SimError(code, `${doing}: ${reasonOf(error)}`, { cause: error });
}
