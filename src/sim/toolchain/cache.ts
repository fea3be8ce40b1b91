import { isAbsolute, join } from 'node:path';
import { SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import type { Mode } from './settings.ts';

/** How the cache keeps programs apart. */
export type CacheKind = 'download' | 'build';

/** Where programs of one set are kept between runs. */
export interface Cache {
  /** Programs are made in temporary folders beside their place and then renamed. */
  readonly root: string;
  readonly lock: string;
  readonly directories: Readonly<Record<CacheKind, string>>;
}

/** Throws SIM_TOOLCHAIN when the environment names no home: programs are not run from a shared folder. */
export function cacheOf({ env }: Pick<Host, 'env'>, setHash: string): Cache {
  const root = join(cacheHome(env), 'sim', 'toolchain', setHash);
  return {
    root,
    lock: join(root, 'lock'),
    directories: { download: join(root, 'download'), build: join(root, 'build') },
  };
}

/** The parts of the cache a mode may use, best first: forcing one way leaves the other's programs alone. */
export const CACHE_KINDS: Readonly<Record<Mode, readonly CacheKind[]>> = {
  auto: ['download', 'build'],
  download: ['download'],
  build: ['build'],
  system: [],
};

/** The XDG base directory specification says that a relative path there is to be ignored. */
function cacheHome(env: Host['env']): string {
  const { XDG_CACHE_HOME: xdg, HOME: home } = env;
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  if (home !== undefined && isAbsolute(home)) return join(home, '.cache');
  throw new SimError('SIM_TOOLCHAIN', 'there is no place to keep programs: HOME is not set', {
    hint: 'set HOME or XDG_CACHE_HOME to an absolute path',
  });
}
