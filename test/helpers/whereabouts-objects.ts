import type { JsonObject } from '../../src/sim/base/json.ts';
import type { OperatorModel, Projection } from '../../src/sim/model/operator-profile.ts';
import { planned, scenarioOf } from './planned-scenario.ts';

/** Four slices. */
export const FOUR_SLICES = { name: 'macvlan', range: '10.128.0.0/22', nodeSliceSize: 24 };

/** A scenario for whereabouts: two nodes, four slices, and whatever the test changes. */
export const whereaboutsScenario = (changes: JsonObject = {}): JsonObject =>
  scenarioOf({ operator: { profile: 'whereabouts' }, networks: [FOUR_SLICES], ...changes });

export const whereaboutsModel = (changes: JsonObject = {}): OperatorModel =>
  planned(whereaboutsScenario(changes)).model;

/** A NodeSlicePool as the API server gives it, with the node of each slice in order; empty where it is free. */
export const nodeSlicePool = (...nodeNames: readonly string[]): JsonObject => ({
  apiVersion: 'whereabouts.cni.cncf.io/v1alpha1',
  kind: 'NodeSlicePool',
  metadata: { name: 'macvlan', namespace: 'whereabouts', uid: 'u1', resourceVersion: '7' },
  spec: { range: '10.128.0.0/22', sliceSize: '/24' },
  status: {
    allocations: nodeNames.map((nodeName, i) => ({ nodeName, sliceRange: `10.128.${i}.0/24` })),
  },
});

/** What is kept of it. */
export function projectPool(raw: JsonObject): Projection {
  const [pools] = whereaboutsModel().resources;
  if (!pools) throw new Error('the profile watches nothing');
  return pools.project(raw);
}
