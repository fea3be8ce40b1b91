import { join, resolve } from 'node:path';
import { CACHE_KINDS, type CacheKind } from './cache.ts';
import type { Context } from './context.ts';
import { findOnPath, whyNotExecutable } from './executable.ts';
import type { Program, ProgramName, ProgramOrigin } from './program.ts';
import type { Refusal } from './refusal.ts';
import { explicitVariable } from './settings.ts';
import { SOURCES } from './sources.ts';
import { askUsage, askVersion, whyNotRunning } from './version.ts';

/** What is on this machine already for one program. */
export type Lookup =
  | { readonly state: 'found'; readonly program: Program }
  /** The user named a program that cannot be used, or PATH has none: nothing else may take its place. */
  | { readonly state: 'refused'; readonly refusal: Refusal }
  /** May be fetched. The notes tell of programs in the cache that do not run. */
  | { readonly state: 'missing'; readonly notes: readonly string[] };

/** Looks at the explicit path, then at PATH (`SIM_TOOLCHAIN=system`) or the cache. Changes nothing. */
export async function findProgram(context: Context, name: ProgramName): Promise<Lookup> {
  const explicit = explicitPath(context, name);
  if (explicit) return useExplicit(context, name, explicit);
  if (context.mode === 'system') return useSystem(context, name);
  const notes: string[] = [];
  for (const kind of CACHE_KINDS[context.mode]) {
    const found = await findInCache(context, name, kind);
    if (typeof found === 'object') return { state: 'found', program: found };
    if (found !== undefined) notes.push(found);
  }
  return { state: 'missing', notes };
}

/** Runs a program that sim fetched; throws when it does not run. */
export async function tryCached(
  context: Context,
  name: ProgramName,
  path: string,
): Promise<string> {
  const { versionFlag } = SOURCES[name];
  if (versionFlag !== undefined)
    return askVersion(context.host, path, versionFlag, context.signal);
  await askUsage(context.host, path, context.signal);
  return `${context.pins.versions[name]} (pinned)`;
}

/** The program, what is wrong with the file in the cache, or undefined when there is none. */
async function findInCache(
  context: Context,
  name: ProgramName,
  kind: CacheKind,
): Promise<Program | string | undefined> {
  const path = join(context.cache.directories[kind], name);
  if ((await context.host.files.stat(path)) === undefined) return undefined;
  const problem = await whyNotExecutable(context.host, path);
  if (problem !== undefined) return `${path} in the cache ${problem}`;
  try {
    return { name, path, origin: kind, version: await tryCached(context, name, path) };
  } catch (error) {
    context.signal?.throwIfAborted();
    return `${name} in the cache does not run (${whyNotRunning(error)})`;
  }
}

interface ExplicitPath {
  readonly path: string;
  /** Begins the sentence "… names PATH". */
  readonly from: string;
}

function explicitPath({ explicit, host }: Context, name: ProgramName): ExplicitPath | undefined {
  const option = explicit[name];
  if (option !== undefined) return { path: resolve(host.cwd, option), from: 'the option' };
  const variable = explicitVariable(name);
  const value = host.env[variable] ?? '';
  return value === '' ? undefined : { path: resolve(host.cwd, value), from: variable };
}

async function useExplicit(
  context: Context,
  name: ProgramName,
  { path, from }: ExplicitPath,
): Promise<Lookup> {
  const problem = await whyNotExecutable(context.host, path);
  if (problem === undefined) return useOwn(context, name, path, 'explicit');
  return refused(name, 'explicit', `${from} names ${path}, which ${problem}`, {
    remedy: `correct the path of ${name} (${explicitVariable(name)}), or leave it out`,
  });
}

async function useSystem(context: Context, name: ProgramName): Promise<Lookup> {
  const path = await findOnPath(context.host, name);
  if (path !== undefined) return useOwn(context, name, path, 'system');
  return refused(name, 'system', 'SIM_TOOLCHAIN is "system", and PATH has no such program', {
    remedy: 'install what is missing on PATH, or leave SIM_TOOLCHAIN out',
  });
}

/** A program of the user's own: any version will do, but it must run. One without a version is not tried. */
async function useOwn(
  context: Context,
  name: ProgramName,
  path: string,
  origin: ProgramOrigin & ('explicit' | 'system'),
): Promise<Lookup> {
  const { versionFlag } = SOURCES[name];
  if (versionFlag === undefined)
    return { state: 'found', program: { name, path, origin, version: 'unknown' } };
  try {
    const version = await askVersion(context.host, path, versionFlag, context.signal);
    return { state: 'found', program: { name, path, origin, version } };
  } catch (error) {
    context.signal?.throwIfAborted();
    return refused(name, origin, `${path} does not run: ${whyNotRunning(error)}`, {
      remedy: `check what \`${path} ${versionFlag}\` says`,
    });
  }
}

const refused = (
  program: ProgramName,
  way: Refusal['way'],
  reason: string,
  { remedy }: { readonly remedy: string },
): Lookup => ({ state: 'refused', refusal: { program, way, reason, remedy } });
