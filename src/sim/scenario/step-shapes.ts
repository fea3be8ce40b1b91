import * as z from 'zod';
import { STEP_KINDS, type StepKind } from '../model/plan.ts';
import { FAULT_KINDS, type FaultKind } from '../model/fault.ts';
import { allocate, deallocate } from './address-steps.ts';
import { common } from './common-step-keys.ts';
import { asFault, faultShape } from './fault-shape.ts';
import { taint, untaint } from './taint-steps.ts';
import { duration, nodeSet, positiveDuration } from './values.ts';

/** More nodes than one /16 of loopback addresses has room for can never run. */
const MOST_NODES = 60_000;

const signal = z.enum(['SIGTERM', 'SIGKILL']).default('SIGTERM').meta({
  description: 'The signal that ends the process.',
});

const removalOrder = z.enum(['node-first', 'pods-first', 'node-only']).default('node-first').meta({
  description:
    'Order of removal: the Node and then its pods, the pods and then the Node, or the Node alone, leaving its pods to garbage collection (70–78 s).',
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
    remove: removalOrder,
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

const RESTARTABLE = ['controller', 'daemons', 'daemon', 'kwok'] as const;

const restart = z
  .strictObject({
    what: z.enum(RESTARTABLE).meta({
      description:
        'What is restarted: the controller, all daemons (their pods are deleted, and made anew by the DaemonSet controller), one daemon, or kwok.',
    }),
    node: z.int().positive().optional().meta({ description: 'Whose daemon, for `daemon`.' }),
    signal,
    downFor: duration.prefault('0s').meta({
      description: 'How long the address of a daemon refuses before it is back.',
    }),
    atATime: z.int().positive().optional().meta({
      description: 'How many of the daemons at a time, one batch after the other. Default: all.',
    }),
    times: z.int().min(1).max(1000).default(1).meta({ description: 'How often.' }),
    pause: duration.prefault('0s').meta({
      description: 'Between two times, or two batches of daemons.',
    }),
    probe: z.boolean().default(true).meta({
      description:
        'Whether one more node is added, converged and removed, as a proof of life: without it a dead controller looks converged.',
    }),
    ...common,
  })
  .superRefine(({ what, node, atATime }, context) => {
    if ((what === 'daemon') !== (node !== undefined))
      context.addIssue({
        code: 'custom',
        path: ['node'],
        message: what === 'daemon' ? 'is missing: whose daemon?' : 'goes with `what: daemon` only',
      });
    if (what !== 'daemons' && atATime !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['atATime'],
        message: 'goes with `what: daemons` only',
      });
  })
  .meta({
    description: 'Ends processes, starts them again, and waits until everything holds.',
  });

const fault = z
  .strictObject({ ...faultShape, ...common })
  .transform(asFault)
  .meta({
    description:
      'Makes something go wrong. Nothing is awaited while it lasts: less is expected of the nodes concerned, until it is healed.',
  });

const healing = {
  nodes: nodeSet.optional().meta({
    description: 'Which nodes: `3`, `1-10`, `1-4,7`. Default: all that have a fault.',
  }),
  what: z
    .enum(FAULT_KINDS as [FaultKind, ...FaultKind[]])
    .optional()
    .meta({ description: 'Which kind of fault. Default: all.' }),
};

const heal = z
  .strictObject({ ...healing, ...common })
  .meta({ description: 'Ends faults, and waits until everything holds: the recovery.' });

const churn = z
  .strictObject({
    nodes: nodeSet.meta({ description: 'Among which nodes: `3`, `1-10`, `1-4,7`.' }),
    for: positiveDuration.meta({ description: 'How long.' }),
    every: positiveDuration.prefault('1s').meta({
      description: 'After how long the next node is replaced.',
    }),
    remove: removalOrder,
    ...common,
  })
  .meta({
    description:
      'Replaces nodes, one after the other, by new ones of the same name, in an order that follows from the seed; then waits until everything holds. Milestones are timed from the creation of each node.',
  });

const manifest = {
  manifest: z.string().min(1).meta({
    description: 'A file of YAML documents; a path is taken from the working directory.',
  }),
  ...common,
};
const apply = z
  .strictObject(manifest)
  .meta({ description: 'Applies the objects of a manifest, and waits until everything holds.' });
const remove = z
  .strictObject(manifest)
  .meta({ description: 'Deletes the objects of a manifest, and waits until they are gone.' });

/** What can be done to a run in progress, as a step of its scenario would be written. */
export const liveAction = z.union([
  z.strictObject({ fault: z.strictObject(faultShape).transform(asFault) }),
  z.strictObject({ heal: z.strictObject(healing) }),
]);

/** The body of every kind of step. */
export const STEP_SHAPES = {
  scale,
  allocate,
  deallocate,
  taint,
  untaint,
  restart,
  fault,
  heal,
  churn,
  apply,
  delete: remove,
  hold,
} as const satisfies Record<StepKind, z.ZodType>;

export type StepBody<K extends StepKind> = z.output<(typeof STEP_SHAPES)[K]>;
export type ScenarioStep = {
  readonly [K in StepKind]: { readonly kind: K } & Readonly<StepBody<K>>;
}[StepKind];

type OptionalShapes = { [K in StepKind]: z.ZodOptional<(typeof STEP_SHAPES)[K]> };
const oneOfThem = Object.fromEntries(
  STEP_KINDS.map((kind) => [kind, STEP_SHAPES[kind].optional()]),
) as OptionalShapes;

/** A step as it is written: one key, which says what it does. */
export const step = z.strictObject(oneOfThem).transform((written, context): ScenarioStep => {
  const given = STEP_KINDS.filter((kind) => written[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    context.addIssue({
      code: 'custom',
      message: `expected one of ${STEP_KINDS.join(', ')}, got ${given.length === 0 ? 'none' : given.join(' and ')}`,
    });
    return z.NEVER;
  }
  return { kind, ...written[kind] } as ScenarioStep;
});
