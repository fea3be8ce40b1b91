import type { RunMs } from '../base/units.ts';
import { isExcused, missingNics } from '../model/excuses.ts';
import type { Moment } from '../model/facts.ts';
import type { ExpectedBlocks, FactView, OperatorModel } from '../model/operator-profile.ts';
import type { StepEnd } from '../model/recorded-run.ts';
import { compareRoutes } from './routes.ts';
import type { StepFold } from './step-fold.ts';

/** An operator that has changed nothing for so long is not about to. */
const AT_REST_MS = 5000;

interface Scene {
  /** The live fake nodes. */
  readonly nodes: readonly string[];
  readonly model: OperatorModel;
  readonly facts: FactView;
}

/** What must be whole at the end of a step, less what was taken away on purpose. */
export function stepEndOf(
  step: StepFold,
  at: Moment,
  lastChange: RunMs,
  { nodes, model, facts }: Scene,
): StepEnd {
  const { outcome, plan } = step.record();
  const atRest = at.atMs - lastChange >= AT_REST_MS;
  // Where nothing was awaited, nothing had to be whole.
  const converged = outcome === 'converged' && plan.awaitsNothing !== true;
  const served = nodes.filter((node) => !isExcused(node, facts, model));
  const expectedBlocks = (node: string): readonly ExpectedBlocks[] => {
    const missing = missingNics(node, facts);
    return model.expectedBlocks(node).filter((block) => !missing.has(block.interface));
  };
  return {
    step: step.name,
    converged,
    settled: converged || (outcome === 'failed' && atRest),
    at,
    nodes,
    expectedBlocks: new Map(served.map((node) => [node, expectedBlocks(node)])),
    routes: compareRoutes(served, model.routedNetworks, facts),
  };
}
