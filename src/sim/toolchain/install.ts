import { join } from 'node:path';
import { SimError } from '../base/errors.ts';
import type { CacheKind } from './cache.ts';
import type { Context } from './context.ts';
import { tryCached } from './find.ts';
import type { ProgramName } from './program.ts';
import { whyNotRunning } from './version.ts';

const PROGRAM_MODE = 0o755;

/** Puts a finished file into the cache under the program's name, at once, if it runs on this machine. */
export async function install(
  context: Context,
  name: ProgramName,
  file: string,
  kind: CacheKind,
): Promise<void> {
  const { files } = context.host;
  const directory = context.cache.directories[kind];
  await files.setMode(file, PROGRAM_MODE);
  try {
    await tryCached(context, name, file);
  } catch (error) {
    context.signal?.throwIfAborted();
    throw new SimError('SIM_TOOLCHAIN', `it does not run here: ${whyNotRunning(error)}`, {
      cause: error,
    });
  }
  await files.makeDirectory(directory, { mode: 0o700 });
  await files.rename(file, join(directory, name));
}
