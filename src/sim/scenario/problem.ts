/** Something wrong with a scenario, and where. */
export interface Problem {
  /** The file, or `--set` when the value came from the command line. */
  readonly file: string;
  /** Counted from 1; undefined for values that stand in no file. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** `steps[2].scale.to`; empty for the document itself. */
  readonly path: string;
  /** What is wrong, and what was expected. */
  readonly message: string;
}

/** `file:line:col path: what is wrong, what was expected` */
export function formatProblem({ file, line, column, path, message }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return path === '' ? `${place}: ${message}` : `${place} ${path}: ${message}`;
}
