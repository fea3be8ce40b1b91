import { join } from 'node:path';
import { reasonOf, SimError, systemCodeOf } from '../base/errors.ts';
import { lock } from '../host/locks.ts';
import { buildPrograms } from './build.ts';
import type { Context } from './context.ts';
import { downloadPrograms } from './releases.ts';
import { findProgram } from './find.ts';
import type { Program, ProgramName } from './program.ts';
import { noWayLeft } from './refusal.ts';
import type { Ways } from './ways.ts';

const LOCK_TIMEOUT_MS = 60 * 60_000; // the other one may be building on a slow machine
const TEMPORARY = 'tmp-';

/**
 * Downloads or builds what is missing, one run at a time; a second one then finds the first one's programs.
 * Throws SIM_TOOLCHAIN with all reasons when a program could not be had.
 */
export async function obtain(
  context: Context,
  ways: ReadonlyMap<ProgramName, Ways>,
): Promise<readonly Program[]> {
  try {
    return await obtainLocked(context, ways);
  } catch (error) {
    throw cacheTrouble(context, error);
  }
}

async function obtainLocked(
  context: Context,
  ways: ReadonlyMap<ProgramName, Ways>,
): Promise<readonly Program[]> {
  const { host, cache, signal } = context;
  const held = await lock(host, cache.lock, {
    timeoutMs: LOCK_TIMEOUT_MS,
    signal,
    onWait: () => {
      context.progress('waiting for another run of sim, which is preparing the toolchain');
    },
  });
  try {
    await removeLeftovers(context);
    const temporary = await host.files.makeTemporaryDirectory(join(cache.root, TEMPORARY));
    try {
      return await obtainInto(context, ways, temporary);
    } finally {
      await host.files.remove(temporary);
    }
  } finally {
    await held.release();
  }
}

async function obtainInto(
  context: Context,
  ways: ReadonlyMap<ProgramName, Ways>,
  temporary: string,
): Promise<readonly Program[]> {
  const refusals = [...ways.values()].flatMap((way) => way.refusals);
  const names = [...ways.keys()];
  let { missing } = await look(context, names);
  refusals.push(...(await downloadPrograms(context, ways, missing, temporary)));
  ({ missing } = await look(context, missing));
  const go = missing.map((name) => ways.get(name)?.go).find((found) => found !== undefined);
  if (go) refusals.push(...(await buildPrograms(context, go, missing, temporary)));
  const last = await look(context, names);
  if (last.missing.length === 0) return last.found;
  throw noWayLeft(
    context.pins,
    refusals.filter(({ program }) => last.missing.includes(program)),
  );
}

interface Inventory {
  readonly found: readonly Program[];
  readonly missing: readonly ProgramName[];
}

async function look(context: Context, names: readonly ProgramName[]): Promise<Inventory> {
  const lookups = await Promise.all(names.map((name) => findProgram(context, name)));
  return {
    found: lookups.flatMap((lookup) => (lookup.state === 'found' ? [lookup.program] : [])),
    missing: names.filter((_, i) => lookups[i]?.state !== 'found'),
  };
}

/** What a run that was killed left. The lock is ours, so nobody is using it. */
async function removeLeftovers({ host, cache }: Context): Promise<void> {
  const names = await host.files.list(cache.root);
  for (const name of names.filter((entry) => entry.startsWith(TEMPORARY)))
    await host.files.remove(join(cache.root, name));
}

/** A full disk or a folder that is not ours: the system's error with what to do about it. */
function cacheTrouble({ cache, signal }: Context, error: unknown): unknown {
  if (signal?.aborted === true || !/^E[A-Z]+$/.test(systemCodeOf(error) ?? '')) return error;
  return new SimError('SIM_TOOLCHAIN', `cannot write to ${cache.root}: ${reasonOf(error)}`, {
    hint: 'set XDG_CACHE_HOME to a folder with free space that you may write to',
    cause: error,
  });
}
