import { HONEST } from '../../src/stubs/controller/mutation.ts';
import type { Entry } from '../../src/stubs/controller/objects.ts';
import {
  networkPlan,
  planEntries,
  type Host,
  type NetworkPlan,
  type PlannedEntries,
} from '../../src/stubs/controller/plan-entries.ts';
import { nic } from './test-fleet.ts';

interface NetworkSettings {
  readonly subnet?: string;
  readonly interfaceBlock?: number;
  readonly hostBlock?: number;
  readonly excludeCIDRs?: readonly string[];
  readonly vlanMode?: string;
  readonly masterNets?: readonly string[];
}

/** Two interface networks of four hosts each, unless a test says otherwise. */
export const networkOf = (settings: NetworkSettings = {}): NetworkPlan =>
  networkPlan(
    'net',
    settings.subnet ?? '192.168.0.0/16',
    {
      interfaceBlock: settings.interfaceBlock ?? 1,
      hostBlock: settings.hostBlock ?? 2,
      excludeCIDRs: settings.excludeCIDRs ?? [],
      vlanMode: settings.vlanMode ?? 'l3',
    },
    settings.masterNets ?? [],
  );

/** `sim-N` with these interfaces, the network of each named after its number: eth1 is on 10.1.0.0/16. */
export const hostOf = (n: number, nics: readonly string[] = ['eth1']): Host => ({
  name: `sim-${n}`,
  nics: nics.map((name) => nic(name, n)),
});

export const hostsOf = (...numbers: readonly number[]): readonly Host[] =>
  numbers.map((n) => hostOf(n));

/** What the honest controller plans. */
export const plan = (
  network: NetworkPlan,
  hosts: readonly Host[],
  current: readonly Entry[] = [],
): PlannedEntries => planEntries(network, hosts, current, HONEST);

/** The blocks of one interface network, by host. */
export const blocksOn = (
  entries: readonly Entry[],
  netAddress = '10.1.0.0/16',
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entries
      .filter((entry) => entry.netAddress === netAddress)
      .flatMap(({ hosts }) => hosts.map(({ hostName, podCIDR }) => [hostName, podCIDR])),
  );
