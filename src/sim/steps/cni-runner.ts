import type { CniPlan, CniResult } from '../../stubs/cni/contract.ts';

/** Runs the CNI stub with a plan, and tells of each result as it comes. */
export type CniRunner = (
  plan: CniPlan,
  onResult: (result: CniResult) => void,
  signal: AbortSignal,
) => Promise<void>;
