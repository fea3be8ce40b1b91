import type { Context } from './context.ts';
import { DISK_REMEDY, shortage, spaceBeforeModules } from './disk.ts';
import { findGo, isObstacle, type Go, type Obstacle } from './go.ts';
import type { ProgramName } from './program.ts';
import type { Refusal } from './refusal.ts';
import { releaseOf } from './release.ts';
import type { Release } from './sources.ts';

/** How a program that is missing could be obtained, as far as can be told without trying. */
export interface Ways {
  readonly release: Release | undefined;
  readonly go: Go | undefined;
  /** Why the other ways are closed. */
  readonly refusals: readonly Refusal[];
}

/** Looks for ways to get each program. Changes nothing and does not use the network. */
export async function surveyWays(
  context: Context,
  names: readonly ProgramName[],
): Promise<ReadonlyMap<ProgramName, Ways>> {
  const go = await goFor(context, names);
  return new Map(names.map((name) => [name, waysOf(context, name, go)]));
}

function waysOf(context: Context, name: ProgramName, go: Go | Obstacle): Ways {
  const release = releaseOf(context, name);
  const refusals: Refusal[] = [];
  if (context.mode === 'build')
    refusals.push(closed(name, 'download', 'SIM_TOOLCHAIN is "build"', OTHER_WAY));
  else if (!release) refusals.push(closed(name, 'download', NO_CHECKSUM));
  if (isObstacle(go)) refusals.push(closed(name, 'build', go.reason, go.remedy));
  return {
    release: context.mode === 'build' ? undefined : release,
    go: isObstacle(go) ? undefined : go,
    refusals,
  };
}

async function goFor(context: Context, names: readonly ProgramName[]): Promise<Go | Obstacle> {
  if (context.mode === 'download')
    return { reason: 'SIM_TOOLCHAIN is "download"', remedy: OTHER_WAY };
  const go = await findGo(context);
  if (isObstacle(go)) return go;
  const lack = await shortage(context, await spaceBeforeModules(context, go, names));
  return lack === undefined ? go : { reason: lack, remedy: DISK_REMEDY };
}

const NO_CHECKSUM =
  'its publisher has no checksum file that sim can check it against, so it is not downloaded';
const OTHER_WAY = 'leave SIM_TOOLCHAIN out, so that every way is tried';

const closed = (
  program: ProgramName,
  way: Refusal['way'],
  reason: string,
  remedy?: string,
): Refusal => ({ program, way, reason, ...(remedy === undefined ? {} : { remedy }) });
