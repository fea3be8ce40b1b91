import { join } from 'node:path';
import { asSimError, reasonOf, SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import { RunFold } from '../ledger/run-fold.ts';
import { parseHistoryLine, type HistoryEntry } from '../model/history.ts';
import type { OperatorProfile } from '../model/operator-profile.ts';
import type { RecordedRun } from '../model/recorded-run.ts';
import { planScenario } from '../plan/plan.ts';
import { loadRecordedScenario } from '../scenario/load.ts';
import { formatProblem } from '../scenario/problem.ts';

const HINT = 'name a run directory, or the history.jsonl of one';

export interface ReadRecording {
  readonly run: RecordedRun;
  readonly profile: OperatorProfile;
  readonly path: string;
}

/**
 * Reads a recording: a run directory or a `history.jsonl`. Its own header says the scenario, and the scenario the
 * plan. A last line that was cut off is passed over, unless the run had ended before it; anything else unreadable throws
 * SIM_RECORDING.
 */
export async function readRecording(
  host: Pick<Host, 'files'>,
  given: string,
): Promise<ReadRecording> {
  const path = await findRecording(host, given);
  let reader: { readonly fold: RunFold; readonly profile: OperatorProfile } | undefined;
  let broken: SimError | undefined;
  let lineNumber = 0;
  for await (const line of linesOf(host, path)) {
    lineNumber++;
    if (broken) throw broken; // the broken line was not the last one
    if (line.trim() === '') continue;
    try {
      const parsed = parseHistoryLine(line);
      if ('unknown' in parsed) reader?.fold.passOver(parsed.unknown, parsed.seq);
      else {
        reader ??= openReader(path, parsed.known);
        reader.fold.apply(parsed.known);
      }
    } catch (error) {
      if (error instanceof SimError) throw error;
      if (!reader) throw notARecording(path, error);
      broken = new SimError('SIM_RECORDING', `${path}:${lineNumber}: ${reasonOf(error)}`, {
        cause: error,
      });
      if (!(error instanceof SyntaxError)) throw broken; // a part of an entry is never JSON
    }
  }
  if (!reader)
    throw lineNumber === 0
      ? new SimError('SIM_RECORDING', `${path} is empty`)
      : notARecording(path, undefined);
  const run = reader.fold.result();
  if (broken && run.end) throw broken; // nothing is written after the end
  return { run, profile: reader.profile, path };
}

async function findRecording({ files }: Pick<Host, 'files'>, given: string): Promise<string> {
  const statOf = (path: string) =>
    files.stat(path).catch((error: unknown) => cannotRead(path, error));
  const isDirectory = (await statOf(given))?.isDirectory === true;
  const path = isDirectory ? join(given, 'history.jsonl') : given;
  const found = await statOf(path);
  if (found && !found.isDirectory) return path;
  throw new SimError(
    'SIM_RECORDING',
    found ? `${path} is a directory` : `there is no recording at ${path}`,
    { hint: HINT },
  );
}

async function* linesOf({ files }: Pick<Host, 'files'>, path: string): AsyncGenerator<string> {
  try {
    yield* files.lines(path);
  } catch (error) {
    cannotRead(path, error);
  }
}

function cannotRead(path: string, error: unknown): never {
  throw asSimError(error, 'SIM_RECORDING', `cannot read ${path}`);
}

const notARecording = (path: string, cause: unknown): SimError =>
  new SimError('SIM_RECORDING', `${path} is no recording of sim: it does not begin with a header`, {
    cause,
    hint: HINT,
    // Text that is no JSON at all is not even a broken header: what its parser says helps nobody.
    details:
      cause === undefined || cause instanceof SyntaxError
        ? []
        : [`its first entry: ${reasonOf(cause)}`],
  });

function openReader(path: string, first: HistoryEntry) {
  if (first.kind !== 'header') throw notARecording(path, undefined);
  const loaded = loadRecordedScenario(first.scenario.path, first.scenario.source);
  if (!loaded.ok)
    throw new SimError(
      'SIM_RECORDING',
      `the scenario in ${path} is not one that this version can read`,
      {
        details: loaded.problems.map(formatProblem),
      },
    );
  const { scenario, profile } = loaded.loaded;
  const planned = planScenario({ ...scenario, seed: first.seed }, profile);
  if (!planned.ok)
    throw new SimError(
      'SIM_RECORDING',
      `the scenario in ${path} cannot be planned by this version`,
      {
        details: planned.problems.map(({ message }) => message),
      },
    );
  return { fold: new RunFold(planned.plan, planned.model), profile };
}
