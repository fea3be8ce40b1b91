import { isAbsolute, join } from 'node:path';
import { reasonOf } from '../base/errors.ts';
import type { Host } from '../host/host.ts';

/** Ends the sentence "PATH …"; undefined when there is a file that may be executed. */
export async function whyNotExecutable(
  { files }: Pick<Host, 'files'>,
  path: string,
): Promise<string | undefined> {
  try {
    const found = await files.stat(path);
    if (!found) return 'does not exist';
    if (found.isDirectory) return 'is a directory';
    return found.isExecutable ? undefined : 'is not executable';
  } catch (error) {
    return `cannot be looked at (${reasonOf(error)})`;
  }
}

/** The first executable file of that name on PATH. Relative entries are left out: they depend on where sim runs. */
export async function findOnPath(
  host: Pick<Host, 'files' | 'env'>,
  name: string,
): Promise<string | undefined> {
  for (const directory of (host.env['PATH'] ?? '').split(':')) {
    if (!isAbsolute(directory)) continue;
    const path = join(directory, name);
    if ((await whyNotExecutable(host, path)) === undefined) return path;
  }
  return undefined;
}
