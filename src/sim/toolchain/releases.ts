import { reasonOf, SimError } from '../base/errors.ts';
import type { Context } from './context.ts';
import { Downloader } from './download.ts';
import type { ProgramName } from './program.ts';
import { reasonLines, type Refusal } from './refusal.ts';
import { fetchRelease } from './release.ts';
import type { Release } from './sources.ts';
import type { Ways } from './ways.ts';

const REMEDY =
  'check the network and HTTPS_PROXY, or set SIM_DOWNLOAD_MIRROR to a mirror of the releases';

interface Wanted {
  readonly name: ProgramName;
  readonly release: Release;
}

/** Downloads the programs that have a release. Answers why, for those that could not be downloaded. */
export async function downloadPrograms(
  context: Context,
  ways: ReadonlyMap<ProgramName, Ways>,
  names: readonly ProgramName[],
  temporary: string,
): Promise<readonly Refusal[]> {
  const wanted = names.flatMap((name) => {
    const release = ways.get(name)?.release;
    return release ? [{ name, release }] : [];
  });
  const downloader = new Downloader(context.host, context.signal, context.timeouts);
  const refusals: Refusal[] = [];
  try {
    const hosts = byHost(wanted).map(async (programs) => {
      for (const program of programs)
        refusals.push(...(await downloadOne(context, downloader, program, temporary)));
    });
    await Promise.allSettled(hosts); // on abort too, all have let go of their files when we return
    context.signal?.throwIfAborted();
  } finally {
    await downloader.close();
  }
  if (context.mode === 'auto') reasonLines(refusals).forEach(context.progress);
  return refusals;
}

/** Hosts are asked side by side: a network that is not there costs one time-out, not one for each host. */
function byHost(wanted: readonly Wanted[]): readonly (readonly Wanted[])[] {
  const groups = new Map<string, Wanted[]>();
  for (const program of wanted) {
    const { origin } = new URL(program.release.url);
    groups.set(origin, [...(groups.get(origin) ?? []), program]);
  }
  return [...groups.values()];
}

async function downloadOne(
  context: Context,
  downloader: Downloader,
  { name, release }: Wanted,
  temporary: string,
): Promise<readonly Refusal[]> {
  try {
    await fetchRelease(context, downloader, name, release, temporary);
    return [];
  } catch (error) {
    context.signal?.throwIfAborted();
    const refusal = { program: name, way: 'download', reason: reasonOf(error) } as const;
    return [error instanceof SimError ? { ...refusal, remedy: REMEDY } : refusal];
  }
}
