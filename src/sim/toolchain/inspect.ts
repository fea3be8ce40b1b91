import type { Host } from '../host/host.ts';
import { contextOf, type Context } from './context.ts';
import type { Program, ProgramName } from './program.ts';
import { ownProgram, reasonLines, type Refusal } from './refusal.ts';
import { survey, type Survey } from './survey.ts';
import type { Ways } from './ways.ts';

/** What `sim doctor` says about one program. */
export type ProgramStatus = {
  readonly name: ProgramName;
  /** The version that `toolchain/go.mod` pins; a program of the user's own may have another. */
  readonly pinned: string;
} & (Ready | Obtainable | Unavailable);

interface Ready {
  readonly state: 'ready';
  readonly program: Program;
}

/** A run would fetch it, in the first of the ways that works. */
interface Obtainable {
  readonly state: 'obtainable';
  readonly ways: readonly string[];
  /** Why other ways are closed, and what is wrong with a program in the cache. */
  readonly notes: readonly string[];
}

interface Unavailable {
  readonly state: 'unavailable';
  readonly reasons: readonly string[];
  readonly remedies: readonly string[];
}

/**
 * Tells where each program would come from. Touches nothing: no download, no build, no file is written. Throws
 * SIM_USAGE for a variable that makes no sense and SIM_TOOLCHAIN when go.mod cannot be read.
 */
export async function inspectToolchain(
  host: Host,
  programs: readonly ProgramName[],
): Promise<readonly ProgramStatus[]> {
  const context = await contextOf(host, {});
  const surveys = await survey(context, programs);
  return surveys.map((one) => ({
    name: one.name,
    pinned: context.pins.versions[one.name],
    ...stateOf(context, one),
  }));
}

function stateOf(context: Context, { name, lookup, ways }: Survey): Ready | Obtainable | Unavailable {
  if (lookup.state === 'found') return { state: 'ready', program: lookup.program };
  if (lookup.state === 'refused') return unavailable(name, [], [lookup.refusal]);
  const open = ways ? openWays(context, ways) : [];
  if (open.length === 0) return unavailable(name, lookup.notes, ways?.refusals ?? []);
  return {
    state: 'obtainable',
    ways: open,
    notes: [...lookup.notes, ...reasonLines(ways?.refusals ?? [])],
  };
}

const unavailable = (
  name: ProgramName,
  notes: readonly string[],
  refusals: readonly Refusal[],
): Unavailable => ({
  state: 'unavailable',
  reasons: [...notes, ...reasonLines(refusals)],
  remedies: [...refusals.flatMap(({ remedy }) => remedy ?? []), `or set ${ownProgram(name)}`],
});

const openWays = ({ cache }: Context, { release, go }: Ways): readonly string[] => [
  ...(release ? [`download of ${release.url} (not tried)`] : []),
  ...(go ? [`build with ${go.version} (${go.path}) into ${cache.directories.build}`] : []),
];
