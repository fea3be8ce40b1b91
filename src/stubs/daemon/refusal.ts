import * as z from 'zod';
import { reasonOf } from '../../sim/base/errors.ts';

/** A request that is wrong. The reply has the status and the message, which names what was wrong. */
export class Refusal extends Error {
  readonly status: number;
  /** The methods that would have been right, for status 405. */
  readonly allow: string | undefined;

  constructor(status: number, problem: string, allow?: string) {
    super(problem);
    this.name = 'Refusal';
    this.status = status;
    this.allow = allow;
  }
}

/** Reads a body that was parsed as JSON, or throws a Refusal that names every field that is not as it should be. */
export function readBody<T>(shape: z.ZodType<T>, body: unknown): T {
  if (body === undefined) throw new Refusal(400, 'the body is empty, expected JSON');
  const { success, data, error } = shape.safeParse(body);
  if (success) return data;
  throw new Refusal(400, describeIssues(error.issues));
}

const MOST_ISSUES = 3;

function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const told = issues.slice(0, MOST_ISSUES).map(describeIssue);
  const more = issues.length - told.length;
  return told.join('; ') + (more === 0 ? '' : ` and ${more} more`);
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const place = path.length === 0 ? 'the body' : z.core.toDotPath(path);
  return `${place}: ${message.replace(/^Invalid (input|string): /, '')}`;
}

/** The refusal that an error of Express or its body parser stands for; undefined for every other error. */
export function refusalOf(error: unknown, limit: string): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return undefined;
  const status: unknown = Reflect.get(error, 'status');
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  switch (Reflect.get(error, 'type')) {
    case 'entity.parse.failed':
      return new Refusal(400, `the body is not JSON: ${reasonOf(error)}`);
    case 'entity.too.large':
      return new Refusal(413, `the body is larger than ${limit}`);
    default:
      return new Refusal(status, reasonOf(error));
  }
}
