import type { FactView } from '../model/operator-profile.ts';
import type { StepEnd, WrongRoutes } from '../model/recorded-run.ts';

/** Whether a daemon was told exactly the routes to its peers on a network; undefined when it has none to be told. */
export function routesDiffer(
  node: string,
  network: string,
  view: FactView,
): WrongRoutes | 'agree' | undefined {
  const expected = view.routesTo(node, network);
  if (expected.count === 0) return undefined;
  const told = view.of(node, 'routes').find((fact) => fact.network === network);
  if (told?.count === expected.count && told.digest === expected.digest) return 'agree';
  return { node, network, expected, told: told && { count: told.count, digest: told.digest } };
}

export function compareRoutes(
  nodes: readonly string[],
  networks: readonly string[],
  view: FactView,
): StepEnd['routes'] {
  const looked = nodes.flatMap((node) =>
    networks.flatMap((network) => routesDiffer(node, network, view) ?? []),
  );
  return { compared: looked.length, wrong: looked.filter((result) => result !== 'agree') };
}
