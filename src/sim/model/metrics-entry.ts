import * as z from 'zod';

/** What the controller under test said of itself. */
export const controllerMetrics = z.object({
  kind: z.literal('controller-metrics'),
  /** By name and labels, as in `workqueue_depth{name="pools"}`; null: it did not answer. */
  values: z.nullable(z.record(z.string(), z.number())),
  /** Why it did not answer. Told once, until it answers again. */
  problem: z.optional(z.string()),
});
