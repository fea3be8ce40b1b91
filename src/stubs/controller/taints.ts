import type { HostState } from './mutation.ts';

/** Fake nodes have the one always, and any node can have the others for a time. */
const USUAL = /^(kwok\.x-k8s\.io|node\.kubernetes\.io)\//;

/** Whether somebody has put a taint on the host's node. */
export const isTainted = ({ taints }: Pick<HostState, 'taints'>): boolean =>
  taints.some((key) => !USUAL.test(key));
