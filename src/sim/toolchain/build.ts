import { join } from 'node:path';
import { reasonOf } from '../base/errors.ts';
import { BuildProgress } from './build-progress.ts';
import type { Context } from './context.ts';
import { DISK_REMEDY, shortage, spaceBeforeBuild } from './disk.ts';
import { goBuildEnvironment } from './go-environment.ts';
import type { Go } from './go.ts';
import { install } from './install.ts';
import type { ProgramName } from './program.ts';
import type { Refusal } from './refusal.ts';
import { SOURCES } from './sources.ts';

const BUILD_TIMEOUT_MS = 60 * 60_000; // eight minutes on two cores; much more where the network is slow

const FAILURE_REMEDY =
  'if modules could not be fetched, check the network or set GOPROXY; the lines above say more';

/** Builds programs with Go and puts them into the cache. Answers why, for those that could not be built. */
export async function buildPrograms(
  context: Context,
  go: Go,
  names: readonly ProgramName[],
  temporary: string,
): Promise<readonly Refusal[]> {
  context.progress(
    `building ${names.join(', ')} with ${go.version}; the first build takes about eight minutes ` +
      `and is kept in ${context.cache.directories.build}`,
  );
  const progress = new BuildProgress(context.host.clock, context.progress);
  const output = join(temporary, 'out');
  try {
    const lack = await build(context, go, names, { output, work: join(temporary, 'work') }, progress);
    if (lack !== undefined) return refuseAll(names, { reason: lack, remedy: DISK_REMEDY });
  } catch (error) {
    context.signal?.throwIfAborted();
    return refuseAll(names, {
      reason: `${go.path} failed`,
      details: [...progress.lastLines, reasonOf(error)],
      remedy: FAILURE_REMEDY,
    });
  }
  return installBuilt(context, names, output);
}

/** Answers what disk is missing; throws what go failed with. */
async function build(
  context: Context,
  go: Go,
  names: readonly ProgramName[],
  directories: { readonly output: string; readonly work: string },
  progress: BuildProgress,
): Promise<string | undefined> {
  const { host, pins, signal } = context;
  await host.files.makeDirectory(directories.output);
  await host.files.makeDirectory(directories.work);
  const packages = names.map((name) => SOURCES[name].package);
  const run = (args: readonly string[], onLine: (line: string) => void) =>
    host.commands.run(go.path, [...args, ...packages], {
      timeoutMs: BUILD_TIMEOUT_MS,
      env: goBuildEnvironment(host.env, go.settings, directories.work),
      cwd: pins.directory,
      signal,
      onLine,
    });
  const list = ['list', '-deps', ...pins.buildFlags, '-f', '{{if .Stale}}stale {{.ImportPath}}{{end}}'];
  const { stdout } = await run(list, (line) => {
    if (!line.startsWith('stale ')) progress.read(line);
  });
  const stale = stdout.split('\n').filter((line) => line.startsWith('stale ')).length;
  const lack = await shortage(context, spaceBeforeBuild(context, go, names, stale));
  if (lack !== undefined) return lack;
  progress.expect(stale);
  await run(['build', '-v', ...pins.buildFlags, '-o', directories.output], (line) => {
    progress.read(line);
  });
  return undefined;
}

async function installBuilt(
  context: Context,
  names: readonly ProgramName[],
  output: string,
): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  for (const name of names) {
    try {
      await install(context, name, join(output, SOURCES[name].builtAs), 'build');
    } catch (error) {
      context.signal?.throwIfAborted();
      refusals.push({ program: name, way: 'build', reason: reasonOf(error) });
    }
  }
  return refusals;
}

const refuseAll = (
  names: readonly ProgramName[],
  why: Pick<Refusal, 'reason' | 'details' | 'remedy'>,
): readonly Refusal[] => names.map((program) => ({ program, way: 'build', ...why }));
