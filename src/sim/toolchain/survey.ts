import type { Context } from './context.ts';
import { findProgram, type Lookup } from './find.ts';
import type { ProgramName } from './program.ts';
import { surveyWays, type Ways } from './ways.ts';

/** What is known about one program before anything is done. */
export interface Survey {
  readonly name: ProgramName;
  readonly lookup: Lookup;
  /** Only for a program that is missing. */
  readonly ways: Ways | undefined;
}

/** Looks for the programs, and for ways to get those that are missing. Changes nothing. */
export async function survey(
  context: Context,
  programs: readonly ProgramName[],
): Promise<readonly Survey[]> {
  const names = [...new Set(programs)];
  const found = await Promise.all(
    names.map(async (name) => ({ name, lookup: await findProgram(context, name) })),
  );
  const missing = found.filter(({ lookup }) => lookup.state === 'missing').map(({ name }) => name);
  const ways = missing.length === 0 ? undefined : await surveyWays(context, missing);
  return found.map(({ name, lookup }) => ({ name, lookup, ways: ways?.get(name) }));
}
