import type { HostInterface, SelectRequest } from './contract.ts';

/**
 * The names of the NICs a pod shall get: those on the wanted networks, of these the ones that are named, of these the
 * first so many. What the request does not mention does not narrow the choice.
 */
export function selectInterfaces(
  interfaces: readonly HostInterface[],
  { masterNets, args }: Pick<SelectRequest, 'masterNets' | 'args'>,
): readonly string[] {
  const named = args?.masters ?? [];
  const most = args?.nics ?? 0;
  const fitting = interfaces.filter(
    ({ netAddress, interfaceName }) =>
      (masterNets.length === 0 || masterNets.includes(netAddress)) &&
      (named.length === 0 || named.includes(interfaceName)),
  );
  return fitting
    .slice(0, most === 0 ? fitting.length : most)
    .map(({ interfaceName }) => interfaceName);
}
