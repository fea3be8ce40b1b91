import type { OperatorProfile } from '../model/operator-profile.ts';
import { multiNicProfile } from './multi-nic/profile.ts';
import { nodeIpamProfile } from './node-ipam/profile.ts';
import { whereaboutsProfile } from './whereabouts/profile.ts';

/** Every operator that sim knows. A new one is a folder and a row here; `docs/operators.md` shows how. */
export const PROFILES: readonly OperatorProfile[] = [
  multiNicProfile,
  nodeIpamProfile,
  whereaboutsProfile,
];

export const profileNamed = (name: string): OperatorProfile | undefined =>
  PROFILES.find((profile) => profile.name === name);
