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

/** The refusal that an error of Express or its body reader stands for; undefined for every other error. */
export function refusalOf(error: unknown, limit: string): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return undefined;
  const status: unknown = Reflect.get(error, 'status');
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  const isTooLarge = Reflect.get(error, 'type') === 'entity.too.large';
  return new Refusal(status, isTooLarge ? `the body is larger than ${limit}` : reasonOf(error));
}
