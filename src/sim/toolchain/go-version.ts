/** Whether a Go version (`go1.26.8`, `go1.27rc1`, `devel go1.28-0f1e2d3`) is at least the one of a go.mod (`1.26.0`). */
export function isGoAtLeast(version: string, least: string): boolean {
  const have = numbersOf(version);
  const want = numbersOf(least);
  if (!have || !want) return false;
  const differing = have.findIndex((number, i) => number !== want[i]);
  return differing === -1 || (have[differing] ?? 0) > (want[differing] ?? 0);
}

/** A beta or release candidate comes before patch 0. */
function numbersOf(version: string): readonly number[] | undefined {
  const match = /(\d+)\.(\d+)(?:\.(\d+)|(rc|beta)\d+)?/.exec(version);
  if (!match) return undefined;
  const patch = match[4] === undefined ? Number(match[3] ?? 0) : -1;
  return [Number(match[1]), Number(match[2]), patch];
}
