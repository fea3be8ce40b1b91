import { excusesNode } from './fault.ts';
import { isForeignTaint } from './foreign-taint.ts';
import type { FactView, OperatorModel } from './operator-profile.ts';

const KEEPS_PODS_AWAY = /:No(Schedule|Execute)$/;

/**
 * Whether the operator cannot be expected to serve a node now: its daemon is broken on purpose, or a taint keeps it
 * away.
 */
export function isExcused(node: string, view: FactView, { daemons }: OperatorModel): boolean {
  if (view.of(node, 'fault').some(({ fault }) => excusesNode(fault))) return true;
  return (
    daemons !== undefined && isTainted(node, view) && !view.of(node, 'daemon').some((d) => d.ready)
  );
}

const isTainted = (node: string, view: FactView): boolean =>
  foreignTaints(node, view).some((taint) => KEEPS_PODS_AWAY.test(taint));

/** The taints of a node that its daemon does not tolerate, as `KEY:EFFECT`. */
export const foreignTaints = (node: string, view: FactView): readonly string[] =>
  view
    .of(node, 'node')
    .flatMap(({ taints }) => taints)
    .filter(isForeignTaint);

/** Whether the NICs of a node have other addresses than planned, on purpose. */
export const hasMovedNics = (node: string, view: FactView): boolean =>
  view.of(node, 'fault').some(({ fault }) => fault === 'address');

/** NICs that the node does not have now, on purpose. */
export const missingNics = (node: string, view: FactView): ReadonlySet<string> =>
  new Set(
    view
      .of(node, 'fault')
      .flatMap(({ fault, interface: nic }) =>
        fault === 'missing-nic' && nic !== undefined ? [nic] : [],
      ),
  );
