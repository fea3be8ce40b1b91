import type * as z from 'zod';

/** A rule for `networks` of a scenario: each name once. Says so at the second one. */
export function uniqueNames(
  list: readonly { readonly name: string }[],
  context: z.core.$RefinementCtx,
): void {
  list.forEach(({ name }, i) => {
    if (list.findIndex((other) => other.name === name) < i)
      context.addIssue({
        code: 'custom',
        path: [i, 'name'],
        message: `there is another "${name}"`,
      });
  });
}
