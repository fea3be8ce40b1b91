import * as z from 'zod';
import { parseDuration } from '../base/duration.ts';
import { parseNodeSet } from '../base/node-names.ts';
import { parseQuantity } from '../base/quantity.ts';

const quote = (input: unknown): string => JSON.stringify(input);

/** `30s`, `1m30s`, `250ms` → milliseconds. */
export const duration = z
  .string({
    error: ({ input }) =>
      input === undefined
        ? 'is missing, expected a duration such as 30s or 1m30s'
        : `expected a duration such as 30s or 1m30s, got ${quote(input)}`,
  })
  .transform((text, context) => {
    const ms = parseDuration(text);
    if (ms !== undefined) return ms;
    context.addIssue({
      code: 'custom',
      message: `expected a duration such as 30s or 1m30s, got ${quote(text)}`,
    });
    return z.NEVER;
  });

/** A duration longer than nothing. */
export const positiveDuration = duration.refine((ms) => ms > 0, {
  error: 'expected a duration longer than 0s',
});

/** A Kubernetes quantity: kept as written, because the API server reads it. */
export const quantity = z
  .union([z.string(), z.number().nonnegative()])
  .transform(String)
  .refine((text) => parseQuantity(text) !== undefined, {
    error: ({ input }) => `expected a quantity such as 4, 500m or 256Gi, got ${quote(input)}`,
  });

/** A name that may become part of object names and of file names. */
export const dnsLabel = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, {
  error: ({ input }) =>
    `expected lower-case letters, digits and dashes, at most 63 of them, got ${quote(input)}`,
});

/** `3`, `1-10`, `1-4,7` → ranges of indexes. A single index may be written as a number. */
export const nodeSet = z.union([z.int().positive(), z.string()]).transform((given, context) => {
  const set = parseNodeSet(String(given));
  if (set) return set;
  context.addIssue({
    code: 'custom',
    message: `expected nodes such as 3, 1-10 or 1-4,7, each once, got ${quote(given)}`,
  });
  return z.NEVER;
});
