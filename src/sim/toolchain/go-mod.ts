/** What sim reads from a go.mod file. */
export interface GoMod {
  /** The lowest Go version that builds it, such as `1.26.0`. */
  readonly goVersion: string | undefined;
  /** Versions by module path. */
  readonly requires: ReadonlyMap<string, string>;
}

/** Reads the `go` line and the `require` lines, alone or in blocks; https://go.dev/ref/mod#go-mod-file. */
export function parseGoMod(text: string): GoMod {
  const requires = new Map<string, string>();
  let goVersion: string | undefined;
  let block: string | undefined;
  for (const words of text.split('\n').map(wordsOf)) {
    if (words[0] === ')') block = undefined;
    else if (words[1] === '(') block = words[0];
    else {
      const [verb, first, second] = block === undefined ? words : [block, ...words];
      if (verb === 'go') goVersion = first;
      if (verb === 'require' && first !== undefined && second !== undefined)
        requires.set(first, second);
    }
  }
  return { goVersion, requires };
}

const wordsOf = (line: string): string[] =>
  line
    .replace(/\/\/.*$/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
