declare const unit: unique symbol;

/** Milliseconds since the run began, on the monotonic clock. Never mixed with wall time. */
export type RunMs = number & { readonly [unit]: 'RunMs' };

/** Milliseconds of CLOCK_MONOTONIC, which all processes of one machine share. */
export type MonotonicMs = number & { readonly [unit]: 'MonotonicMs' };

export const runMs = (value: number): RunMs => value as RunMs;
export const monotonicMs = (value: number): MonotonicMs => value as MonotonicMs;

/** Rounds to microseconds: more digits are noise and make recordings larger. */
export const roundMs = (value: number): number => Math.round(value * 1000) / 1000;
