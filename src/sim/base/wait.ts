import type { Clock } from './clock.ts';
import { formatDuration } from './duration.ts';
import { SimError, type SimErrorOptions } from './errors.ts';
import type { ErrorCode } from './error-catalogue.ts';

export interface WaitOptions<T> {
  /** Ends the sentence "waiting for …". */
  readonly what: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly intervalMs: number;
  /** The answer, or undefined for "not yet". What it throws ends the wait. */
  readonly probe: () => Promise<T | undefined>;
  /** The last state seen, for the message when time runs out. */
  readonly lastState?: () => string;
  readonly signal?: AbortSignal | undefined;
  readonly code?: ErrorCode;
  readonly onTimeout?: () => SimErrorOptions | Promise<SimErrorOptions>;
}

/** The one polling loop: a named thing, a deadline, the last state seen. Prefer a watch where there is one. */
export async function waitFor<T>(options: WaitOptions<T>): Promise<T> {
  const { clock, timeoutMs, signal } = options;
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await options.probe();
    if (answer !== undefined) return answer;
    if (clock.now() >= deadline) throw await timeoutError(options);
    await clock.sleep(options.intervalMs, signal);
  }
}

async function timeoutError<T>(options: WaitOptions<T>): Promise<SimError> {
  const state = options.lastState?.();
  return new SimError(
    options.code ?? 'SIM_TIMEOUT',
    `waited ${formatDuration(options.timeoutMs)} for ${options.what}` +
      (state === undefined ? '' : `; last seen: ${state}`),
    (await options.onTimeout?.()) ?? {},
  );
}

/** Rests for a while, or until the signal ends the rest: that is no failure. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch {
    // the signal ended it
  }
}

/** Bounds a promise in time. The work itself is not stopped: give it a signal for that. */
export async function within<T>(
  clock: Clock,
  timeoutMs: number,
  what: string,
  work: Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const late = clock.sleep(timeoutMs, done.signal).then(
    () => {
      throw new SimError('SIM_TIMEOUT', `${what} took longer than ${formatDuration(timeoutMs)}`);
    },
    () => new Promise<never>(() => undefined), // the work won the race: never settle
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

/** Goes with the work as long as the signal allows, and then rejects with its reason. The work itself is not stopped. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    done.abort();
  }
}
