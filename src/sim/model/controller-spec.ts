import * as z from 'zod';
import { parseDuration } from '../base/duration.ts';

const readiness = z
  .union([
    z.strictObject({
      http: z.url().meta({ description: 'Ready when this address answers 200.' }),
    }),
    z.strictObject({
      log: z
        .string()
        .refine(isRegExp, { error: 'expected a regular expression' })
        .meta({ description: 'Ready when a line of its log matches this expression.' }),
    }),
    z.strictObject({
      aliveFor: z
        .string()
        .regex(/^\d+(ms|s|m)$/)
        .meta({
          description: 'Ready when it has not exited for so long.',
        }),
    }),
    z.strictObject({
      condition: z
        .strictObject({
          group: z.string().default(''),
          version: z.string().default('v1'),
          plural: z.string(),
          name: z.string(),
          namespace: z.string().optional(),
          type: z.string().default('Ready'),
        })
        .meta({
          description: 'Ready when this object has a condition of this type with status True.',
        }),
    }),
  ])
  .prefault({ aliveFor: '2s' })
  .meta({
    description: 'How it is known that the controller is ready. Default: alive for two seconds.',
  });

function isRegExp(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** How often the reference controller asks known daemons again, unless a scenario says otherwise. */
export const ASK_EVERY_MS = 30_000;

const interval = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 1) return ms;
  context.addIssue({
    code: 'custom',
    message: `expected a duration of at least 1ms such as 30s, got ${JSON.stringify(text)}`,
  });
  return z.NEVER;
});

/** The controller that comes with sim, which can be one of its broken ones. */
const reference = (mutants: readonly string[]) =>
  z.strictObject({
    reference: z.strictObject({
      qps: z.int().nonnegative().default(0).meta({
        description: "Writes a second for each kind; 0 is no limit, 20 is client-go's default.",
      }),
      askEvery: interval.prefault('30s').meta({
        description: 'How often it asks daemons that it knows for their NICs again.',
      }),
      mutant: z
        .enum(mutants as [string, ...string[]])
        .optional()
        .meta({
          description: 'The guarantee to break, by name; to see that it is noticed.',
        }),
    }),
  });

/** A program of the user's. */
const command = z.strictObject({
  command: z.string().min(1).meta({
    description:
      'The program. A path is taken from the working directory; {nodeslicecontroller} names one of the toolchain.',
  }),
  args: z
    .array(z.string())
    .default([])
    .meta({
      description:
        'Its arguments. {kubeconfig}, {namespace} and {runDir} are filled in. Without any, where `toolchain` is a ' +
        'choice too: those of that program.',
    }),
  env: z.record(z.string(), z.string()).default({}).meta({
    description: 'Further environment, filled in like the arguments.',
  }),
  workingDirectory: z.string().optional().meta({ description: 'Default: where sim was started.' }),
  readiness,
  inCluster: z.boolean().default(false).meta({
    description:
      'Whether it finds token, certificate and namespace where a pod would: for controllers that insist on it. Needs `unshare`.',
  }),
});

export const controllerShapes = { reference, command } as const;

/** Where a controller's own metrics are, as a scenario says it; false: they are not asked for. */
export type ControllerMetricsSpec = false | { readonly url: string };

export type Readiness = z.output<typeof readiness>;

type Command = Readonly<z.output<typeof command>>;

/** Where the controller under test comes from, with all that its kind needs. */
export type ControllerSpec =
  | { readonly kind: 'cluster' }
  | { readonly kind: 'installed' }
  | { readonly kind: 'toolchain' }
  | {
      readonly kind: 'reference';
      readonly qps: number;
      readonly askEveryMs: number;
      readonly mutant: string | undefined;
    }
  | ({ readonly kind: 'command' } & Command);

/** A program to start as the controller: the user's, or one of the toolchain as its driver starts it. */
export type ControllerCommand = { readonly kind: 'command' | 'toolchain' } & Command;

/** What a controller process, with all that it starts, may use: Kubernetes quantities as written. */
export interface ControllerLimits {
  readonly cpu: string | null;
  readonly memory: string | null;
}

/** Whether a controller that has ended by itself is started again. */
export type RestartPolicy = 'Never' | 'Always';
