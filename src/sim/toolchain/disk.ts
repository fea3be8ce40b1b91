import { dirname, join } from 'node:path';
import { formatBytes } from '../base/quantity.ts';
import type { Context } from './context.ts';
import type { Go } from './go.ts';
import type { ProgramName } from './program.ts';
import { PROGRAM_NAMES, SOURCES } from './sources.ts';

const GIB = 1024 ** 3;
/** A cold build of all programs takes about 8 GB (design.md §5): modules, compiled packages, linking. */
const MODULES_BYTES = 1.5 * GIB;
const PACKAGES_BYTES = 5 * GIB;
const LINKING_BYTES = 1.5 * GIB;
/** As `go list -deps` counts them for all programs. */
const ALL_PACKAGES = 2830;

export const DISK_REMEDY =
  'free some disk, or point XDG_CACHE_HOME, GOMODCACHE and GOCACHE at a larger one';

/** Bytes that a build will write below a folder. */
export interface SpaceNeed {
  readonly path: string;
  readonly bytes: number;
}

type DiskHost = Pick<Context, 'host'>;

/** Before anything is downloaded: the share of the programs whose module is not in the module cache. */
export async function spaceBeforeModules(
  { host, pins, cache }: Pick<Context, 'host' | 'pins' | 'cache'>,
  { settings }: Go,
  names: readonly ProgramName[],
): Promise<readonly SpaceNeed[]> {
  const { GOMODCACHE: modules, GOCACHE: packages } = settings;
  if (modules === undefined || packages === undefined) return [];
  const present = await Promise.all(
    names.map((name) =>
      host.files.stat(join(modules, `${SOURCES[name].module}@${pins.versions[name]}`)),
    ),
  );
  const share = present.filter((found) => !found).length / PROGRAM_NAMES.length;
  return [
    { path: modules, bytes: share * MODULES_BYTES },
    { path: packages, bytes: share * PACKAGES_BYTES },
    { path: cache.root, bytes: linkingBytes(names) },
  ];
}

/** With the modules there, by the number of packages that are still to be compiled. */
export function spaceBeforeBuild(
  { cache }: Pick<Context, 'cache'>,
  { settings }: Go,
  names: readonly ProgramName[],
  packages: number,
): readonly SpaceNeed[] {
  const { GOCACHE: packageCache } = settings;
  if (packageCache === undefined) return [];
  return [
    { path: packageCache, bytes: (packages / ALL_PACKAGES) * PACKAGES_BYTES },
    { path: cache.root, bytes: linkingBytes(names) },
  ];
}

/** What is missing, as a reason; undefined when there is enough. Folders on one file system share its free space. */
export async function shortage(
  { host }: DiskHost,
  needs: readonly SpaceNeed[],
): Promise<string | undefined> {
  const byFileSystem = new Map<number, SpaceNeed>();
  for (const need of needs) {
    const place = await existingParent({ host }, need.path);
    const free = await host.files.freeBytes(place);
    const { path, bytes } = byFileSystem.get(free) ?? { path: place, bytes: 0 };
    byFileSystem.set(free, { path, bytes: bytes + need.bytes });
  }
  for (const [free, { path, bytes }] of byFileSystem)
    if (free < bytes)
      return `a build needs about ${formatBytes(bytes)} of disk, and ${path} has ${formatBytes(free)} free`;
  return undefined;
}

const linkingBytes = (names: readonly ProgramName[]): number =>
  (names.length / PROGRAM_NAMES.length) * LINKING_BYTES;

async function existingParent({ host }: DiskHost, path: string): Promise<string> {
  for (let at = path; ; at = dirname(at))
    if (at === dirname(at) || (await host.files.stat(at))) return at;
}
