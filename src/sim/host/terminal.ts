/** Where sim speaks to a person. Progress goes to standard error, results to standard output. */
export interface Terminal {
  /** A line of the result. */
  out(line: string): void;
  /** A line of progress or of an error. */
  err(line: string): void;
  /** Text for standard error as it is, for the live view. */
  raw(text: string): void;
  /** Whether standard error is a terminal that understands cursor movement. */
  readonly isLive: boolean;
  /** Whether the result goes to a terminal, too. */
  readonly isOutLive: boolean;
  /** Whether somebody still reads the result: `head` goes away when it has enough. */
  readonly isOutRead: () => boolean;
  readonly columns: () => number;
  readonly color: boolean;
}

export function realTerminal(env: Readonly<Record<string, string | undefined>>): Terminal {
  let isOutRead = true;
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader such as `head` that went away is no failure of ours; the run and its report go on.
      if (error.code !== 'EPIPE') throw error;
      if (stream === process.stdout) isOutRead = false;
    });
  const isLive = process.stderr.isTTY && env['TERM'] !== 'dumb' && env['CI'] === undefined;
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    raw: (text) => void process.stderr.write(text),
    isLive,
    isOutLive: process.stdout.isTTY,
    isOutRead: () => isOutRead,
    columns: () => process.stderr.columns,
    color: env['NO_COLOR'] === undefined && process.stdout.isTTY,
  };
}
