import { SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import { contextOf, type Context, type ToolchainOptions } from './context.ts';
import { obtain } from './obtain.ts';
import type { Program, ProgramName } from './program.ts';
import { noWayLeft } from './refusal.ts';
import { survey, type Survey } from './survey.ts';

export type { ToolchainOptions } from './context.ts';
export { inspectToolchain, type ProgramStatus } from './inspect.ts';
export { CLUSTER_PROGRAMS, type Program, type ProgramName } from './program.ts';

/**
 * Makes sure that programs are on this machine, and answers where. For each, the first that fits wins: a path that
 * the user named, the cache, a verified download, a build. Throws SIM_TOOLCHAIN with all reasons and remedies when
 * one cannot be had, before anything is downloaded if that can be told; SIM_USAGE for a variable that makes no
 * sense; SIM_LOCK when another run prepares the toolchain for too long; the signal's reason when it aborts.
 *
 * `SIM_TOOLCHAIN=system` takes every program from PATH. Their versions are then the user's own affair: sim reports
 * them but does not choose them.
 */
export async function ensureToolchain(
  host: Host,
  options: ToolchainOptions,
): Promise<ReadonlyMap<ProgramName, Program>> {
  const context = await contextOf(host, options);
  const surveys = await survey(context, options.programs);
  refuseHopeless(context, surveys);
  const found = surveys.flatMap(({ lookup }) => (lookup.state === 'found' ? lookup.program : []));
  const missing = surveys.filter(({ lookup }) => lookup.state === 'missing');
  if (missing.length === 0) return inOrder(surveys, found);
  sayNotes(context, missing);
  const ways = new Map(missing.flatMap(({ name, ways }) => (ways ? [[name, ways] as const] : [])));
  return inOrder(surveys, [...found, ...(await obtain(context, ways))]);
}

/** Nobody wants to download 300 MB first and to learn then that there is no Go for the rest. */
function refuseHopeless({ pins }: Context, surveys: readonly Survey[]): void {
  const refusals = surveys.flatMap(({ lookup, ways }) => {
    if (lookup.state === 'refused') return [lookup.refusal];
    return ways && !ways.release && !ways.go ? ways.refusals : [];
  });
  if (refusals.length > 0) throw noWayLeft(pins, refusals);
}

function sayNotes({ progress }: Context, missing: readonly Survey[]): void {
  for (const { lookup } of missing)
    if (lookup.state === 'missing')
      for (const note of lookup.notes) progress(`${note}; it is made again`);
}

function inOrder(
  surveys: readonly Survey[],
  programs: readonly Program[],
): ReadonlyMap<ProgramName, Program> {
  const pairs = surveys.map(({ name }) => {
    const program = programs.find((candidate) => candidate.name === name);
    if (!program) throw new SimError('SIM_BUG', `${name} was neither found nor refused`);
    return [name, program] as const;
  });
  return new Map(pairs);
}
