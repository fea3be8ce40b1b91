import express, { type RequestHandler } from 'express';
import * as z from 'zod';
import { reasonOf } from '../../sim/base/errors.ts';
import { Refusal } from './refusal.ts';

/** Collects the bytes of a body, whatever its sender calls them. A longer one is answered with 413. */
export const collectBody = (limit: string): RequestHandler =>
  express.raw({ limit, type: () => true });

/** What was collected; undefined when the request had no body. */
export const bytesOf = ({ body }: { readonly body?: unknown }): Uint8Array | undefined =>
  body instanceof Uint8Array ? body : undefined;

/**
 * Reads the bytes of a body, as JSON of a shape. Throws a Refusal that names the fields
 * that are not as they should be.
 */
export function readBody<T>(shape: z.ZodType<T>, body: Uint8Array | undefined): T {
  if (body === undefined || body.length === 0)
    throw new Refusal(400, 'the body is empty, expected JSON');
  return readShape(shape, parseJson(new TextDecoder().decode(body)));
}

export function readShape<T>(shape: z.ZodType<T>, value: unknown): T {
  const { success, data, error } = shape.safeParse(value);
  if (success) return data;
  throw new Refusal(400, describeIssues(error.issues));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `the body is not JSON: ${reasonOf(error)}`);
  }
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
