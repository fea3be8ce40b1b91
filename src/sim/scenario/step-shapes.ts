import * as z from 'zod';
import { POD_OBJECTS, STEP_KINDS, TAINT_EFFECTS, type StepKind } from '../model/plan.ts';
import { FAULT_KINDS, type FaultKind } from '../model/fault.ts';
import { asFault, faultShape } from './fault-shape.ts';
import { dnsLabel, duration, nodeSet, positiveDuration } from './values.ts';

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

const addresses = {
  nodes: nodeSet.optional().meta({
    description: 'On which nodes: `3`, `1-10`, `1-4,7`. Default: all there are.',
  }),
  rate: z.number().positive().max(10_000).optional().meta({
    description:
      'Pods a second, whatever becomes of them (an open loop). Default: all at once, as fast as they are answered.',
  }),
  arrival: z.enum(['constant', 'poisson']).default('constant').meta({
    description: 'Whether pods come evenly or at random, under the seed. Needs `rate`.',
  }),
  attempts: z.int().min(1).max(100).default(6).meta({
    description: 'How often each call to a daemon is tried at most.',
  }),
  ...common,
};

const allocate = z
  .strictObject({
    podsPerNode: z.int().min(1).max(10_000).default(1).meta({
      description: 'How many more pods each node gets; each has an address on every NIC.',
    }),
    podObjects: z.enum(POD_OBJECTS).default('none').meta({
      description:
        'Whether there are real Pod objects, and which annotation tells their addresses: `current` (network-status), `legacy` (networks-status), or both.',
    }),
    ...addresses,
  })
  .meta({
    description:
      "Asks daemons for addresses as a CNI plugin does: `/select`, then `/allocate`. Waits until the pools' rows are those that were asked for.",
  });

const deallocate = z
  .strictObject({
    podsPerNode: z.int().min(1).max(10_000).optional().meta({
      description: 'How many pods each node loses, the oldest first. Default: all.',
    }),
    ...addresses,
  })
  .meta({ description: 'Gives addresses back to the daemons, and waits until no row is left.' });

const taintKey = z
  .string()
  .regex(/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-\w.]*[A-Za-z0-9])?$/, {
    error: 'expected the key of a taint, such as example.com/maintenance',
  })
  .default('sim/taint')
  .meta({ description: 'Key of the taint.' });

const taint = z
  .strictObject({
    nodes: nodeSet.meta({ description: 'Which nodes: `3`, `1-10`, `1-4,7`.' }),
    key: taintKey,
    value: z.string().max(63).default('').meta({ description: 'Value of the taint.' }),
    effect: z.enum(TAINT_EFFECTS).default('NoSchedule').meta({
      description:
        'What it does to pods that do not tolerate it. The daemons do not; what becomes of them is decided by the scheduler and the controllers of the cluster.',
    }),
    ...common,
  })
  .meta({ description: 'Taints nodes, and waits until everything holds.' });

const untaint = z
  .strictObject({
    nodes: nodeSet.meta({ description: 'Which nodes: `3`, `1-10`, `1-4,7`.' }),
    key: taintKey,
    ...common,
  })
  .meta({ description: 'Takes a taint away, and waits until everything holds.' });

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
