import * as z from 'zod';
import { TAINT_EFFECTS } from '../model/plan.ts';
import { common } from './common-step-keys.ts';
import { nodeSet } from './values.ts';

const taintKey = z
  .string()
  .regex(/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-\w.]*[A-Za-z0-9])?$/, {
    error: 'expected the key of a taint, such as example.com/maintenance',
  })
  .default('sim/taint')
  .meta({ description: 'Key of the taint.' });

export const taint = z
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

export const untaint = z
  .strictObject({
    nodes: nodeSet.meta({ description: 'Which nodes: `3`, `1-10`, `1-4,7`.' }),
    key: taintKey,
    ...common,
  })
  .meta({ description: 'Takes a taint away, and waits until everything holds.' });
