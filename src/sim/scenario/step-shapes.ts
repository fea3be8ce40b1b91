import * as z from 'zod';
import type { StepKind } from '../model/plan.ts';
import { dnsLabel, duration, positiveDuration } from './values.ts';

/** More nodes than one /16 of loopback addresses has room for can never run. */
const MOST_NODES = 60_000;

const common = {
  name: dnsLabel.optional().meta({
    description: 'Name of the step in reports and thresholds. Default: made from what it does.',
  }),
  within: positiveDuration.prefault('120s').meta({
    description: 'Bounds the convergence time, from the first action of the step.',
  }),
  settle: duration.optional().meta({
    description: 'How long all must stay as it is. Default: `settle` of the scenario.',
  }),
  onMiss: z.enum(['stop', 'continue']).default('stop').meta({
    description: 'What happens when the step misses its goal.',
  }),
};

const signal = z.enum(['SIGTERM', 'SIGKILL']).default('SIGTERM').meta({
  description: 'The signal that ends the process.',
});

const disturbance = z
  .strictObject({
    at: z.int().min(0).max(MOST_NODES).meta({
      description: 'After how many nodes there are, counting up or down, it happens.',
    }),
    restart: z.strictObject({ what: z.enum(['controller']), signal }),
  })
  .meta({ description: 'Something done in the middle of a scale step.' });

const scale = z
  .strictObject({
    to: z.int().min(0).max(MOST_NODES).meta({ description: 'How many fake nodes there shall be.' }),
    remove: z.enum(['node-first', 'pods-first', 'node-only']).default('node-first').meta({
      description:
        'Order when scaling down: the Node and then its pods, the pods and then the Node, or the Node alone, leaving its pods to garbage collection (70–78 s).',
    }),
    during: z.array(disturbance).default([]).meta({
      description: 'What happens in the middle of the step.',
    }),
    ...common,
  })
  .meta({ description: 'Adds or removes fake nodes, and waits until the operator has followed.' });

const hold = z
  .strictObject({
    for: positiveDuration.meta({ description: 'How long.' }),
    name: common.name,
    onMiss: common.onMiss,
  })
  .meta({ description: 'Does nothing, and watches that nothing is lost.' });

const restart = z
  .strictObject({
    what: z.enum(['controller']).meta({ description: 'What is restarted.' }),
    signal,
    probe: z.boolean().default(true).meta({
      description:
        'Whether one more node is added, converged and removed, as a proof of life: without it a dead controller looks converged.',
    }),
    ...common,
  })
  .meta({ description: 'Ends a process, starts it again, and waits until everything holds.' });

/** The body of every kind of step. */
export const STEP_SHAPES = { scale, hold, restart } as const satisfies Record<StepKind, z.ZodType>;

export type StepBody<K extends StepKind> = z.output<(typeof STEP_SHAPES)[K]>;
export type ScenarioStep = {
  readonly [K in StepKind]: { readonly kind: K } & Readonly<StepBody<K>>;
}[StepKind];

const KINDS = Object.keys(STEP_SHAPES) as StepKind[];

/** A step as it is written: one key, which says what it does. */
export const step = z
  .strictObject({ scale: scale.optional(), hold: hold.optional(), restart: restart.optional() })
  .transform((written, context): ScenarioStep => {
    const given = KINDS.filter((kind) => written[kind] !== undefined);
    const [kind] = given;
    if (kind === undefined || given.length > 1) {
      context.addIssue({
        code: 'custom',
        message: `expected one of ${KINDS.join(', ')}, got ${given.length === 0 ? 'none' : given.join(' and ')}`,
      });
      return z.NEVER;
    }
    return { kind, ...written[kind] } as ScenarioStep;
  });
