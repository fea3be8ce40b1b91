import type { OperatorDriver } from './driver.ts';
import { multiNicDriver } from './multi-nic/driver.ts';
import { nodeIpamDriver } from './node-ipam/driver.ts';
import { whereaboutsDriver } from './whereabouts/driver.ts';

/** The drivers of `profiles.ts`, one for each. */
export const DRIVERS: readonly OperatorDriver[] = [
  multiNicDriver,
  nodeIpamDriver,
  whereaboutsDriver,
];
