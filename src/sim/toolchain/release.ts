import { basename, join } from 'node:path';
import { SimError } from '../base/errors.ts';
import { formatBytes } from '../base/quantity.ts';
import { checksumFor } from './checksum.ts';
import type { Context } from './context.ts';
import type { Downloader } from './download.ts';
import { install } from './install.ts';
import type { ProgramName } from './program.ts';
import { throughMirror } from './settings.ts';
import { SOURCES, type Release } from './sources.ts';

const UNPACK_TIMEOUT_MS = 120_000;

/** The release of a pinned program, at the mirror if there is one; undefined when it is not to be downloaded. */
export function releaseOf(
  { pins, host, mirror }: Pick<Context, 'pins' | 'host' | 'mirror'>,
  name: ProgramName,
): Release | undefined {
  const release = SOURCES[name].release?.(pins.versions[name], host.platform.arch);
  return (
    release && {
      ...release,
      url: throughMirror(release.url, mirror),
      checksumUrl: throughMirror(release.checksumUrl, mirror),
    }
  );
}

/** Downloads a release into the temporary folder, verifies it, and only then unpacks it and puts it into the cache. */
export async function fetchRelease(
  context: Context,
  downloader: Downloader,
  name: ProgramName,
  release: Release,
  temporary: string,
): Promise<void> {
  const directory = join(temporary, name);
  await context.host.files.makeDirectory(directory);
  const file = join(directory, 'download');
  const expected = await publishedChecksum(downloader, release);
  const actual = await downloader.save(release.url, file, (sizeBytes) => {
    context.progress(progressLine(name, context.pins.versions[name], release.url, sizeBytes));
  });
  if (actual !== expected)
    throw new SimError(
      'SIM_TOOLCHAIN',
      `${release.url} is not what its publisher says: the sha256 is ${actual}, not ${expected}`,
    );
  await install(context, name, await unpacked(context, release, directory, file), 'download');
}

async function publishedChecksum(downloader: Downloader, release: Release): Promise<string> {
  const text = await downloader.text(release.checksumUrl);
  const fileName = basename(new URL(release.url).pathname);
  const checksum = checksumFor(text, fileName);
  if (checksum !== undefined) return checksum;
  throw new SimError('SIM_TOOLCHAIN', `${release.checksumUrl} has no checksum for ${fileName}`);
}

/** The archive is verified by now, so tar reads nothing that the publisher did not write. */
async function unpacked(
  { host, signal }: Context,
  { member }: Release,
  directory: string,
  file: string,
): Promise<string> {
  if (member === undefined) return file;
  await host.commands.run('tar', ['-xzf', file, '-C', directory, '--no-same-owner', member], {
    timeoutMs: UNPACK_TIMEOUT_MS,
    env: { PATH: host.env['PATH'] },
    signal,
  });
  return join(directory, member);
}

function progressLine(
  name: ProgramName,
  version: string,
  url: string,
  sizeBytes: number | undefined,
): string {
  const size = sizeBytes === undefined ? 'size unknown' : formatBytes(sizeBytes);
  return `downloading ${name} ${version} (${size}) from ${new URL(url).host}`;
}
