import * as z from 'zod';
import { POD_OBJECTS } from '../model/plan.ts';
import { common } from './common-step-keys.ts';
import { nodeSet } from './values.ts';

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

export const allocate = z
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

export const deallocate = z
  .strictObject({
    podsPerNode: z.int().min(1).max(10_000).optional().meta({
      description: 'How many pods each node loses, the oldest first. Default: all.',
    }),
    ...addresses,
  })
  .meta({ description: 'Gives addresses back to the daemons, and waits until no row is left.' });
