import * as z from 'zod';
import {
  ASK_EVERY_MS,
  controllerShapes,
  type ControllerLimits,
  type ControllerMetricsSpec,
  type ControllerSpec,
  type RestartPolicy,
} from '../model/controller-spec.ts';
import type { ControllerKind, OperatorProfile } from '../model/operator-profile.ts';
import { parseExpression } from '../model/threshold.ts';
import { controllerKeys, refuseWithoutProcess } from './controller-keys.ts';
import { metricsKey, refuseAddress } from './metrics-key.ts';
import { RUNTIME_NAMES, type RuntimeName } from './runtime-names.ts';
import { step, type ScenarioStep } from './step-shapes.ts';
import { dnsLabel, duration, positiveDuration, quantity } from './values.ts';

/** How the API server and its clients are limited. Figures of different presets are never compared. */
export const PRESETS = ['realistic', 'unlimited'] as const;
export type Preset = (typeof PRESETS)[number];

const cluster = z
  .strictObject({
    runtime: z.enum(RUNTIME_NAMES).optional().meta({
      description: 'Where the cluster comes from. Default: the first that works here.',
    }),
    kubernetes: z
      .string()
      .regex(/^v\d+\.\d+\.\d+$/, 'expected a version such as v1.36.1')
      .optional()
      .meta({
        description: "Version of Kubernetes. Default: the toolchain's.",
      }),
    preset: z.enum(PRESETS).default('realistic').meta({
      description:
        '`realistic`: Priority and Fairness on, client limits of the controller-manager and the scheduler raised. `unlimited`: no limits at all.',
    }),
    auditLog: z.boolean().default(true).meta({
      description:
        'Whether the API server writes an audit log, from which the cost per client is read.',
    }),
  })
  .meta({ description: 'The cluster.' });

const nodeShape = {
  capacity: z
    .strictObject({
      cpu: quantity.prefault('32').meta({ description: 'Processors.' }),
      memory: quantity.prefault('256Gi').meta({ description: 'Memory.' }),
      pods: z.int().positive().default(110).meta({ description: 'Pods.' }),
    })
    .prefault({})
    .meta({ description: 'Capacity of each fake node.' }),
  labels: z.record(z.string(), z.string()).default({}).meta({
    description: 'Further labels of each fake node.',
  }),
  ready: z.enum(['at-create', 'by-kwok']).default('at-create').meta({
    description:
      'Whether nodes are created Ready (fast), or become Ready by kwok (closer to a joining kubelet).',
  }),
};

const expression = z
  .string()
  .superRefine((expr, context) => {
    const parsed = parseExpression(expr);
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.problem });
  })
  .meta({
    description: 'A limit: `[step(NAME).]STAT(METRIC) OP VALUE`.',
    examples: ['max(cidr) < 30s', 'step(scale-200).all(cidr) < 60s'],
  });

const abortingThreshold = z.strictObject({
  that: expression,
  abortOnFail: z.boolean().default(true).meta({
    description: 'Whether the run ends as soon as the limit cannot be kept any more.',
  }),
  grace: duration.prefault('5s').meta({
    description: 'How long that must have been so before the run is ended.',
  }),
});

const threshold = z
  .union([expression, abortingThreshold])
  .transform((written): ExpectedThreshold => {
    if (typeof written === 'string') return { expr: written, abortAfterMs: undefined };
    const { that, abortOnFail, grace } = written;
    return { expr: that, abortAfterMs: abortOnFail ? grace : undefined };
  })
  .meta({ description: 'A limit, or one that ends the run early.' });

/** A limit that a scenario sets. */
export interface ExpectedThreshold {
  readonly expr: string;
  /** How long it must have been hopeless before the run is ended; undefined: it only decides the verdict. */
  readonly abortAfterMs: number | undefined;
}

const seedProblem = ({ input }: { readonly input?: unknown }): string =>
  `expected an integer from 0 up, got ${JSON.stringify(input)}`;

/** What every scenario has, whatever the operator. */
const commonShape = {
  name: dnsLabel.meta({ description: 'Name of the scenario, in reports and file names.' }),
  description: z
    .string()
    .optional()
    .meta({ description: 'The question it answers, in a sentence.' }),
  cluster: cluster.prefault({}),
  steps: z.array(step).min(1).meta({ description: 'What is done, in order.' }),
  expect: z.array(threshold).default([]).meta({ description: 'Limits that decide pass or fail.' }),
  settle: duration.prefault('10s').meta({
    description:
      "How long everything must stay as it is before a step counts as converged. For a final figure take more than the operator's own requeue.",
  }),
  overflow: z.enum(['refused', 'expected']).default('refused').meta({
    description:
      'What to make of more nodes than the networks can hold: refuse the scenario, or run it and expect as many served as fit.',
  }),
  timeout: positiveDuration.optional().meta({
    description: 'Bounds the whole run. Default: the sum of all steps and two minutes.',
  }),
  seed: z
    .int({ error: seedProblem })
    .nonnegative({ error: seedProblem })
    .default(1)
    .meta({ description: 'Seed of everything random.' }),
};

const CONTROLLER_MEANINGS: Readonly<Record<ControllerKind, string>> = {
  cluster: "the cluster's own controller-manager",
  reference: 'the stand-in that comes with sim',
  toolchain: "the operator's own release, in the version of sim's toolchain",
  command: 'a program of yours',
  installed: 'one that is in the cluster already',
};

/** One word where a word says enough, else an object with the kind's own key. */
function controllerOf({ name, controllers, mutants = [] }: OperatorProfile) {
  const words = controllers.filter((kind) => kind !== 'command');
  const word = z
    .enum(words as [ControllerKind, ...ControllerKind[]], {
      error:
        controllers.length === 1
          ? `expected ${words.join()}: ${name} always tests ${CONTROLLER_MEANINGS[controllers[0] ?? 'cluster']}, so leave it out`
          : `expected ${[...words, ...(controllers.includes('command') ? ['{ command: … }'] : [])].join(' or ')}`,
    })
    .transform((kind): ControllerSpec =>
      kind === 'reference'
        ? { kind, qps: 0, askEveryMs: ASK_EVERY_MS, mutant: undefined }
        : ({ kind } as ControllerSpec),
    );
  const reference = controllerShapes
    .reference(mutants)
    .transform(({ reference: { qps, askEvery, mutant } }): ControllerSpec => ({
      kind: 'reference',
      qps,
      askEveryMs: askEvery,
      mutant,
    }));
  const command = controllerShapes.command.transform((written): ControllerSpec => ({
    kind: 'command',
    ...written,
  }));
  const shapes = [
    word,
    ...(controllers.includes('reference') ? [reference] : []),
    ...(controllers.includes('command') ? [command] : []),
  ] as const;
  return z
    .union(shapes)
    .prefault(controllers[0] as never)
    .meta({
      description: `Where the controller under test comes from: ${controllers
        .map((kind) => `\`${kind}\`, ${CONTROLLER_MEANINGS[kind]}`)
        .join('; ')}.`,
    });
}

/** The one description of a scenario for an operator: types, defaults, JSON schema and docs come from it. */
export const scenarioSchema = (profile: OperatorProfile) =>
  z.strictObject({
    ...commonShape,
    operator: z
      .strictObject({
        profile: z.literal(profile.name).meta({ description: profile.title }),
        controller: controllerOf(profile),
        ...controllerKeys,
        ...profile.options,
        metrics: metricsKey,
      })
      .superRefine(refuseWithoutProcess)
      .superRefine(refuseAddress)
      .meta({ description: 'The operator under test.' }),
    nodes: z
      .strictObject({ ...nodeShape, ...profile.nodeOptions })
      .meta({ description: 'The fake nodes.' })
      .prefault({}),
    networks: profile.networks.meta({ description: "The operator's networks." }),
  });

/** A scenario as the rest of the program sees it: defaults filled in, units converted. */
export interface Scenario {
  readonly name: string;
  readonly description: string | undefined;
  readonly cluster: {
    readonly runtime: RuntimeName | undefined;
    readonly kubernetes: string | undefined;
    readonly preset: Preset;
    readonly auditLog: boolean;
  };
  readonly operator: {
    readonly profile: string;
    readonly controller: ControllerSpec;
    /** Undefined: it may use what the machine has. */
    readonly limits?: ControllerLimits | undefined;
    readonly restartPolicy: RestartPolicy;
    /** Undefined: as the controller says, if it is one that does. */
    readonly metrics?: ControllerMetricsSpec | undefined;
    readonly [option: string]: unknown;
  };
  /** Of the shape that the profile owns. */
  readonly networks: readonly unknown[];
  readonly nodes: {
    readonly capacity: { readonly cpu: string; readonly memory: string; readonly pods: number };
    readonly labels: Readonly<Record<string, string>>;
    readonly ready: 'at-create' | 'by-kwok';
    /** What the profile adds. */
    readonly [option: string]: unknown;
  };
  readonly steps: readonly ScenarioStep[];
  readonly expect: readonly ExpectedThreshold[];
  readonly settleMs: number;
  readonly overflow: 'refused' | 'expected';
  readonly timeoutMs: number | undefined;
  readonly seed: number;
}

/** The only bridge from the parsed shape to the Scenario: units get their names here. */
export function normalise(parsed: z.output<ReturnType<typeof scenarioSchema>>): Scenario {
  const { settle, timeout, description, cluster: written, ...rest } = parsed;
  return {
    ...rest,
    description,
    cluster: { ...written, runtime: written.runtime, kubernetes: written.kubernetes },
    settleMs: settle,
    timeoutMs: timeout,
  };
}
