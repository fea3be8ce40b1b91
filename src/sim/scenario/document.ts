import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { reasonOf } from '../base/errors.ts';
import { formatPath, type Problem } from './problem.ts';

type Path = readonly PropertyKey[];

/** A YAML text that still knows where everything stood. */
export interface SourceDocument {
  readonly file: string;
  /** The text as plain values, after the overrides. */
  readonly value: unknown;
  /** Syntax errors and bad overrides. When there are any, `value` is not to be used. */
  readonly problems: readonly Problem[];
  /** A problem at a path, with its place. `atKey` points at the key instead of the value. */
  problemAt(path: Path, message: string, atKey?: boolean): Problem;
}

/** `path=value`, as given to `--set`. */
export type Override = string;

export function readDocument(
  file: string,
  text: string,
  overrides: readonly Override[] = [],
): SourceDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const syntax = document.errors.map((error): Problem => {
    const { line, col } = lines.linePos(error.pos[0]);
    return { file, line, column: col, path: '', message: error.message };
  });
  const set = new Map<string, Override>();
  const problems = syntax.length > 0 ? syntax : applyOverrides(document, overrides, set);
  const value = problems.length > 0 ? undefined : plainValue(document, file, problems);
  return {
    file,
    value,
    problems,
    problemAt(path, message, atKey = false) {
      const override = overrideFor(path, set);
      if (override !== undefined)
        return {
          file: `--set ${override}`,
          line: undefined,
          column: undefined,
          path: formatPath(path),
          message,
        };
      const { line, col } = lines.linePos(offsetOf(document, path, atKey));
      return { file, line, column: col, path: formatPath(path), message };
    },
  };
}

/** Aliases are resolved only here: one without an anchor, or too many of them, is a problem of the text. */
function plainValue(document: Document.Parsed, file: string, problems: Problem[]): unknown {
  try {
    return document.toJS();
  } catch (error) {
    problems.push({ file, line: undefined, column: undefined, path: '', message: reasonOf(error) });
    return undefined;
  }
}

/** Places values into the document. The given values are read as YAML, so that `5` is a number. */
function applyOverrides(
  document: Document.Parsed,
  overrides: readonly Override[],
  set: Map<string, Override>,
): Problem[] {
  const problems: Problem[] = [];
  for (const override of overrides) {
    const at = override.indexOf('=');
    const path = parsePath(override.slice(0, at));
    const fail = (message: string): void => {
      problems.push({
        file: `--set ${override}`,
        line: undefined,
        column: undefined,
        path: '',
        message,
      });
    };
    if (at < 1 || path.length === 0) {
      fail('expected path=value, for example steps[0].scale.to=50');
      continue;
    }
    const value = parseDocument(override.slice(at + 1), { prettyErrors: false });
    if (value.errors.length > 0) {
      fail(value.errors[0]?.message ?? 'not YAML');
      continue;
    }
    try {
      document.setIn(path, value.toJS());
      set.set(formatPath(path), override);
    } catch {
      fail(`the scenario has nothing at ${formatPath(path)} that a value could be put into`);
    }
  }
  return problems;
}

/** `steps[0].scale.to` and `steps.0.scale.to` alike. */
export function parsePath(text: string): (string | number)[] {
  return text
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter((key) => key !== '')
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

function overrideFor(path: Path, set: ReadonlyMap<string, Override>): Override | undefined {
  for (let length = path.length; length > 0; length--) {
    const override = set.get(formatPath(path.slice(0, length)));
    if (override !== undefined) return override;
  }
  return undefined;
}

/** Where a path stands; where it does not exist, where the nearest thing around it stands. */
function offsetOf(document: Document.Parsed, path: Path, atKey: boolean): number {
  for (let length = path.length; length >= 0; length--) {
    const node = nodeAt(document, path.slice(0, length), atKey && length === path.length);
    const range = node?.range;
    if (Array.isArray(range) && typeof range[0] === 'number') return range[0];
  }
  return 0;
}

function nodeAt(
  document: Document.Parsed,
  path: Path,
  wantKey: boolean,
): { readonly range?: unknown } | undefined {
  if (wantKey && path.length > 0) {
    const parent: unknown =
      path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1))
      : undefined;
    if (isNode(pair?.key)) return pair.key;
  }
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  return isNode(node) ? node : undefined;
}
