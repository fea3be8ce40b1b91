import type { RecordedRun } from '../model/recorded-run.ts';
import type { Verdict } from '../model/verdict.ts';

/** When a guarantee must hold. */
export type When = 'always' | 'settled' | 'end';

/** One guarantee, as a function of the recording. It cannot reach the cluster, and knows no operator. */
export interface Invariant {
  readonly code: string;
  /** The guarantee itself, in a sentence. */
  readonly title: string;
  /** What goes wrong in a real cluster when it does not hold. */
  readonly why: string;
  readonly when: When;
  /** What must be in the recording, and what is said when it is not. */
  readonly needs: string;
  readonly check: (run: RecordedRun) => Verdict;
}
