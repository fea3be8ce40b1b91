import type * as z from 'zod';
import { SimError } from '../base/errors.ts';
import { liveAction } from './step-shapes.ts';

/** Throws SIM_USAGE, in the words of `sim fault` and `sim heal`, when it is nothing that can be done to a run. */
export function readLiveAction(written: unknown): z.output<typeof liveAction> {
  const parsed = liveAction.safeParse(written);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap((issue) =>
    issue.code === 'invalid_union'
      ? issue.errors.flat().filter(({ path }) => path.length > 1)
      : [issue],
  );
  const [first] = details;
  const what = first ? `--${first.path.slice(1).join('.')} ${first.message}` : 'not understood';
  throw new SimError('SIM_USAGE', what);
}
