import {
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  type Document,
  type YAMLError,
} from 'yaml';
import { reasonOf } from '../base/errors.ts';
import { formatPath } from '../base/value-path.ts';
import { applyOverrides, type Override } from './overrides.ts';
import type { Problem } from './problem.ts';
import { notYaml, syntaxMessage } from './syntax-message.ts';

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

export function readDocument(
  file: string,
  text: string,
  overrides: readonly Override[] = [],
): SourceDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const syntax = syntaxProblems(file, document.errors, lines);
  const applied = applyOverrides(document, syntax.length > 0 ? [] : overrides);
  const problems = [...syntax, ...applied.problems];
  const value = problems.length > 0 ? undefined : plainValue(document, file, problems);
  return {
    file,
    value,
    problems,
    problemAt(path, message, atKey = false) {
      const ofOverride = applied.problemAt(path, message);
      if (ofOverride) return ofOverride;
      const { line, col } = lines.linePos(offsetOf(document, path, atKey));
      return { file, line, column: col, path: formatPath(path), message };
    },
  };
}

/** Where one bracket is missing, the parser stumbles on: of each line its first complaint is the one that helps. */
function syntaxProblems(
  file: string,
  errors: readonly YAMLError[],
  lines: LineCounter,
): readonly Problem[] {
  const seen = new Set<number>();
  return errors.flatMap((error): readonly Problem[] => {
    const { line, col } = lines.linePos(error.pos[0]);
    if (seen.has(line)) return [];
    seen.add(line);
    return [{ file, line, column: col, path: '', message: syntaxMessage(error) }];
  });
}

/** Aliases are resolved only here: one without an anchor, or too many of them, is a problem of the text. */
function plainValue(document: Document.Parsed, file: string, problems: Problem[]): unknown {
  try {
    return document.toJS();
  } catch (error) {
    problems.push({
      file,
      line: undefined,
      column: undefined,
      path: '',
      message: notYaml(reasonOf(error)),
    });
    return undefined;
  }
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
