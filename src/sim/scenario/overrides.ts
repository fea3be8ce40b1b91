import { isSeq, parseDocument, type Document } from 'yaml';
import { count } from '../base/text.ts';
import { formatPath } from '../base/value-path.ts';
import type { Problem } from './problem.ts';
import { syntaxMessage } from './syntax-message.ts';

type Path = readonly PropertyKey[];

/** A value from the command line that goes over the scenario's own. */
export interface Override {
  /** `path=value`. The value is read as YAML, so that `5` is a number. */
  readonly assignment: string;
  /** The flag that the user typed, such as `--seed`; undefined for `--set`, which is given the assignment itself. */
  readonly flag: string | undefined;
}

/** Where values that came from the command line stand in a document. */
export interface AppliedOverrides {
  readonly problems: readonly Problem[];
  /** The problem, where its path stands in a part that an override has brought; else undefined. */
  problemAt(path: Path, message: string): Problem | undefined;
}

export const setOverride = (assignment: string): Override => ({ assignment, flag: undefined });

/** Places values into the document. */
export function applyOverrides(
  document: Document.Parsed,
  overrides: readonly Override[],
): AppliedOverrides {
  const brought = new Map<string, Override>();
  const problems = overrides.flatMap((override) => {
    const outcome = apply(document, override);
    if ('message' in outcome) return [problemOf(override, '', outcome.message)];
    brought.set(formatPath(outcome.brought), override);
    return [];
  });
  return {
    problems,
    problemAt(path, message) {
      const override = overrideFor(path, brought);
      if (!override) return undefined;
      const { target } = partsOf(override);
      const place = formatPath(path);
      // Of a flag the user knows the name, and not the path that it stands for.
      const isFlagItself = override.flag !== undefined && place === formatPath(target);
      return problemOf(override, isFlagItself ? '' : place, message);
    },
  };
}

/** `steps[0].scale.to` and `steps.0.scale.to` alike. */
export function parsePath(text: string): (string | number)[] {
  return text
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter((key) => key !== '')
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

function partsOf({ assignment }: Override): {
  readonly target: (string | number)[];
  readonly text: string;
} {
  const at = assignment.indexOf('=');
  return {
    target: at < 1 ? [] : parsePath(assignment.slice(0, at)),
    text: assignment.slice(at + 1),
  };
}

/** Answers the outermost part that was not there before, which is the override's alone. */
function apply(
  document: Document.Parsed,
  override: Override,
): { readonly brought: Path } | { readonly message: string } {
  const { target, text } = partsOf(override);
  if (target.length === 0)
    return { message: 'expected path=value, for example steps[0].scale.to=50' };
  const value = parseDocument(text, { prettyErrors: false });
  const [wrong] = value.errors;
  if (wrong) return { message: syntaxMessage(wrong) };
  const message = beyondTheEnd(document, target);
  if (message !== undefined) return { message };
  const brought = outermostMissing(document, target);
  try {
    document.setIn(target, value.toJS());
    return { brought };
  } catch {
    return {
      message: `the scenario has nothing at ${formatPath(target)} that a value could be put into`,
    };
  }
}

/** One entry more than a list has can be added; one further on would leave holes, which no message could explain. */
function beyondTheEnd(
  document: Document.Parsed,
  target: readonly (string | number)[],
): string | undefined {
  for (const [depth, key] of target.entries()) {
    if (typeof key !== 'number') continue;
    const path = target.slice(0, depth);
    const list: unknown = document.getIn(path, true);
    const entries = isSeq(list) ? list.items.length : list === undefined ? 0 : Infinity;
    if (key <= entries) continue;
    const there = entries === 0 ? 'no entries' : count(entries, 'entry', 'entries');
    const range = entries < 2 ? '' : ` (0 to ${entries - 1})`;
    return `${formatPath(path)} has ${there}${range}; the next would be ${formatPath([...path, entries])}`;
  }
  return undefined;
}

function outermostMissing(document: Document.Parsed, target: Path): Path {
  const depth = target.findIndex((_, i) => !document.hasIn(target.slice(0, i + 1)));
  return depth < 0 ? target : target.slice(0, depth + 1);
}

function overrideFor(path: Path, brought: ReadonlyMap<string, Override>): Override | undefined {
  for (let length = path.length; length > 0; length--) {
    const override = brought.get(formatPath(path.slice(0, length)));
    if (override !== undefined) return override;
  }
  return undefined;
}

const problemOf = ({ flag, assignment }: Override, path: string, message: string): Problem => ({
  file: flag ?? `--set ${assignment}`,
  line: undefined,
  column: undefined,
  path,
  message,
});
