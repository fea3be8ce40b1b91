import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { reasonOf, SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import { buildFlags } from './build-flags.ts';
import { parseGoMod, type GoMod } from './go-mod.ts';
import type { ProgramName } from './program.ts';
import { PROGRAM_NAMES, SOURCES } from './sources.ts';

/** What `toolchain/go.mod` fixes. */
export interface Pins {
  /** The folder of go.mod. */
  readonly directory: string;
  /** The lowest Go version that builds the set, such as `1.26.0`. */
  readonly goVersion: string;
  readonly versions: Readonly<Record<ProgramName, string>>;
  readonly buildFlags: readonly string[];
  /** Names the set in the cache: programs made from anything else never mix with it. */
  readonly setHash: string;
}

type PinsHost = Pick<Host, 'files' | 'packageRoot' | 'platform'>;

/** Throws SIM_TOOLCHAIN when go.mod or go.sum cannot be read or a program has no version there. */
export async function readPins(host: PinsHost): Promise<Pins> {
  const directory = join(host.packageRoot, 'toolchain');
  const goModText = await read(host, join(directory, 'go.mod'));
  const goSumText = await read(host, join(directory, 'go.sum'));
  const goMod = parseGoMod(goModText);
  const versions = versionsOf(goMod, directory);
  const flags = buildFlags(versions);
  const platform = `${host.platform.os}/${host.platform.arch}`;
  return {
    directory,
    goVersion: goMod.goVersion ?? '1.0',
    versions,
    buildFlags: flags,
    setHash: setHashOf([goModText, goSumText, JSON.stringify(flags), platform]),
  };
}

/** 16 hexadecimal digits of a sha256: enough to tell sets apart, short enough for a path. */
export const setHashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);

function versionsOf(goMod: GoMod, directory: string): Readonly<Record<ProgramName, string>> {
  const pinned = (name: ProgramName): string => {
    const version = goMod.requires.get(SOURCES[name].module);
    if (version !== undefined) return version;
    throw new SimError('SIM_TOOLCHAIN', `${directory}/go.mod does not require the module of ${name}`);
  };
  const pairs = PROGRAM_NAMES.map((name) => [name, pinned(name)] as const);
  return Object.fromEntries(pairs) as Record<ProgramName, string>;
}

async function read(host: PinsHost, path: string): Promise<string> {
  try {
    return await host.files.readText(path);
  } catch (error) {
    throw new SimError('SIM_TOOLCHAIN', `cannot read ${path}: ${reasonOf(error)}`, {
      hint: 'the file is part of the package: install cni-sim again',
      cause: error,
    });
  }
}
