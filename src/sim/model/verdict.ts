import type { RunMs } from '../base/units.ts';

/** One place where something was found to be false. */
export interface Finding {
  readonly message: string;
  readonly atMs: RunMs;
  /** The objects concerned, as `nodes/sim-7`. */
  readonly objects: readonly string[];
}

/** What a check concluded. `held` says how many things it looked at; having looked at nothing is not a pass. */
export type Verdict =
  | { readonly status: 'held'; readonly checked: number; readonly remark?: string }
  | { readonly status: 'broken'; readonly checked: number; readonly findings: readonly Finding[] }
  | { readonly status: 'not-applicable'; readonly reason: string };

/** The verdict of a run. */
export type RunVerdict = 'pass' | 'fail' | 'invalid' | 'error' | 'interrupted';

/** Builds the verdict of a check that looked at `checked` things. */
export function verdictOf(
  checked: number,
  findings: readonly Finding[],
  nothing: string,
  remark?: string,
): Verdict {
  if (findings.length > 0) return { status: 'broken', checked, findings };
  if (checked === 0) return { status: 'not-applicable', reason: nothing };
  return { status: 'held', checked, ...(remark === undefined ? {} : { remark }) };
}
