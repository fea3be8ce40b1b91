import * as z from 'zod';
import { parseQuantity } from '../base/quantity.ts';
import type { ControllerLimits, ControllerSpec } from '../model/controller-spec.ts';
import { quantity } from './values.ts';

/** The kernel gives CPU time in slices of a period of 100 ms, none shorter than 1 ms. */
const LEAST_CPU = '10m';
const LEAST_MEMORY = '1Mi';

const atLeast = (least: string) =>
  quantity.refine((text) => (parseQuantity(text) ?? Infinity) >= (parseQuantity(least) ?? 0), {
    error: ({ input }) => `expected at least ${least}, got ${JSON.stringify(input)}`,
  });

/** What a scenario may say of a controller that is a process of sim's, beside where it comes from. */
export const controllerKeys = {
  limits: z
    .strictObject({
      cpu: atLeast(LEAST_CPU)
        .optional()
        .meta({
          description: `Processors, such as 100m, at least ${LEAST_CPU}. A controller that has used up its share waits, as in a pod.`,
        }),
      memory: atLeast(LEAST_MEMORY)
        .optional()
        .meta({
          description: `Memory, at least ${LEAST_MEMORY}. The kernel ends a controller that takes more.`,
        }),
    })
    .refine(({ cpu, memory }) => cpu !== undefined || memory !== undefined, {
      error: 'expected cpu, memory or both',
    })
    .transform(({ cpu, memory }): ControllerLimits => ({
      cpu: cpu ?? null,
      memory: memory ?? null,
    }))
    .optional()
    .meta({
      description:
        'What the controller may use, held by a control group (cgroup). Figures with limits and without are not compared. Default: no limits.',
    }),
  restartPolicy: z.enum(['Never', 'Always']).default('Never').meta({
    description:
      'What becomes of a controller that exits by itself. `Never`: the steps end. `Always`: it is started again as by a kubelet, after 1s, 2s, 4s and so on up to 30s (from 1s again once it has run for 60s), and the steps go on. INV012 is broken either way.',
  }),
};

interface WrittenOperator {
  readonly controller: ControllerSpec;
  readonly limits?: ControllerLimits | undefined;
  readonly restartPolicy: z.output<typeof controllerKeys.restartPolicy>;
}

/** What is wrong with a key that only a process of sim's can have; undefined where the controller is one. */
export const problemWithoutProcess = (kind: ControllerSpec['kind']): string | undefined =>
  kind === 'cluster' || kind === 'installed'
    ? `cannot be set for the controller \`${kind}\`, which sim does not start itself: leave it out`
    : undefined;

/** Where the controller is no process of sim's, nothing can hold it to limits or start it again. */
export function refuseWithoutProcess(
  { controller: { kind }, limits, restartPolicy }: WrittenOperator,
  context: z.RefinementCtx,
): void {
  const message = problemWithoutProcess(kind);
  if (message === undefined) return;
  const refused = [
    ...(limits === undefined ? [] : ['limits']),
    ...(restartPolicy === 'Never' ? [] : ['restartPolicy']),
  ];
  for (const key of refused) context.addIssue({ code: 'custom', path: [key], message });
}
