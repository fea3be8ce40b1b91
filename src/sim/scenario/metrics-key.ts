import * as z from 'zod';
import type { ControllerMetricsSpec, ControllerSpec } from '../model/controller-spec.ts';
import { problemWithoutProcess } from './controller-keys.ts';

/** Where the metrics of the controller are, beside where it comes from. */
export const metricsKey = z
  .union(
    [
      z.literal(false),
      z.strictObject({
        url: z
          .url({
            protocol: /^https?$/,
            error: 'expected an address such as http://127.0.0.1:8080/metrics',
          })
          .meta({
            description:
              'Asked for metrics every 5s and after every step. Certificates are not checked.',
          }),
      }),
    ],
    { error: 'expected { url: … } or false' },
  )
  .optional()
  .meta({
    description:
      "The controller's own metrics (depth of its queues, reconciles, requests), recorded where it offers them: by `url`, or not at all (`false`). The reference controller says itself where they are.",
  });

interface WrittenOperator {
  readonly controller: ControllerSpec;
  readonly metrics?: ControllerMetricsSpec | undefined;
}

/** An address is for programs of which sim cannot know it, and which are processes of sim's. */
export function refuseAddress(
  { controller: { kind }, metrics }: WrittenOperator,
  context: z.RefinementCtx,
): void {
  if (metrics === undefined || metrics === false) return;
  const message =
    kind === 'reference'
      ? 'the reference controller says itself where its metrics are: leave it out, or say false'
      : problemWithoutProcess(kind);
  if (message !== undefined) context.addIssue({ code: 'custom', path: ['metrics'], message });
}
