import * as z from 'zod';

/** The controller under test was started or ended. */
export const controller = z.object({
  kind: z.literal('controller'),
  event: z.enum(['started', 'ready', 'stopping', 'exited']),
  pid: z.optional(z.int()),
  /** Whether a step asked for the exit. */
  asked: z.optional(z.boolean()),
  how: z.optional(z.string()),
});

/** A part of the run that is not under test ended. */
export const component = z.object({
  kind: z.literal('component'),
  event: z.literal('exited'),
  component: z.string(),
  pid: z.int(),
});

/** Since its control group was made: how often a component had used up its CPU time, and had to wait. */
const throttled = z.object({
  periods: z.int(),
  throttledPeriods: z.int(),
  throttledMs: z.number(),
});

/** What the processes of the run use. */
export const usage = z.object({
  kind: z.literal('usage'),
  /** CPU time since each process started, and resident memory. */
  samples: z.array(
    z.object({
      component: z.string(),
      pid: z.int(),
      cpuMs: z.number(),
      rssBytes: z.number(),
      throttled: z.optional(throttled),
    }),
  ),
});
