import type { OperatorProfile } from '../model/operator-profile.ts';
import { nodeIpamProfile } from './node-ipam/profile.ts';

/** Every operator that sim knows. A new one is a folder and a row here; `docs/operators.md` shows how. */
export const PROFILES: readonly OperatorProfile[] = [nodeIpamProfile];

export const profileNamed = (name: string): OperatorProfile | undefined =>
  PROFILES.find((profile) => profile.name === name);
