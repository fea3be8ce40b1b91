import type { NodeRange } from '../base/node-names.ts';
import type { PlannedAction, RemovalOrder } from '../model/plan.ts';

/** The deletion of nodes and that of their pods, in the order that is asked for. */
export function inRemovalOrder(
  order: RemovalOrder,
  deletions: readonly PlannedAction[],
  nodes: NodeRange,
): readonly PlannedAction[] {
  const pods: PlannedAction = { kind: 'delete-pods', nodes };
  switch (order) {
    case 'node-first':
      return [...deletions, pods];
    case 'pods-first':
      return [pods, ...deletions];
    case 'node-only':
      return deletions;
  }
}
