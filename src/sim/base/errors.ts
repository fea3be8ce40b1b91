import { ERRORS, type ErrorCode } from './error-catalogue.ts';
import type { ExitCode } from './exit-codes.ts';
import { isRecord } from './json.ts';
import { formatPath } from './value-path.ts';

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

const MOST_ISSUES = 5;

/** The message of anything that was thrown. Of a schema's error, whose message is JSON over many lines: its issues. */
export function reasonOf(error: unknown): string {
  const issues = issuesOf(error);
  if (issues.length > 0) {
    const more = issues.length - MOST_ISSUES;
    const told = issues.slice(0, MOST_ISSUES).join('; ');
    return (more > 0 ? `${told} and ${more} more` : told).replaceAll(/\s*[\r\n]\s*/g, ' ');
  }
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return String(error);
}

/** `path: message` of each issue. They are known by their shape: nothing here knows the library that makes them. */
function issuesOf(error: unknown): readonly string[] {
  const issues: unknown = error instanceof Error ? Reflect.get(error, 'issues') : undefined;
  if (!Array.isArray(issues)) return [];
  return issues.flatMap((issue: unknown) => {
    if (!isRecord(issue)) return [];
    const { path, message } = issue;
    if (!Array.isArray(path) || typeof message !== 'string') return [];
    return [path.length === 0 ? message : `${formatPath(path as PropertyKey[])}: ${message}`];
  });
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
