import type { Context } from 'mocha';

/** Skips a test and says why: the reporter prints every reason, and a skip without one is a failure. */
export function skipBecause(context: Context, reason: string): never {
  const runnable = context.test ?? context.currentTest;
  if (runnable) Reflect.set(runnable, 'skipReason', reason);
  return context.skip();
}
