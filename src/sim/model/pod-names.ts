import { nodeName } from '../base/node-names.ts';
import { SIM_NAMESPACE } from './labels.ts';

/** The name of a node's nth pod that asks for addresses: `sim-7-pod-3`. */
export const podName = (node: number, pod: number): string => `${nodeName(node)}-pod-${pod}`;

/** As pools and daemons name it: `NAMESPACE/NAME`. */
export const podOwner = (node: number, pod: number): string =>
  `${SIM_NAMESPACE}/${podName(node, pod)}`;
