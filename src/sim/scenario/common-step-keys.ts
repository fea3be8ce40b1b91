import * as z from 'zod';
import { dnsLabel, duration, positiveDuration } from './values.ts';

/** What every step that awaits something is written with. */
export const common = {
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
