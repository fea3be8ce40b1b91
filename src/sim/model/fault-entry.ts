import * as z from 'zod';
import { fault } from './fault.ts';

/** Nodes got a fault, or are rid of it. Between the two, less is expected of the operator. */
export const faulty = z.object({
  kind: z.literal('fault'),
  phase: z.enum(['begin', 'end']),
  nodes: z.array(z.object({ from: z.int(), to: z.int() })),
  fault,
  source: z.enum(['step', 'live']),
});
