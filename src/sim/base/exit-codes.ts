/**
 * What the process exit code says. Scripts and lanes depend on these numbers; they never change meaning.
 * The precedence between them is in `judge/verdict.ts`.
 */
export const EXIT = {
  pass: 0,
  fail: 1,
  usage: 2,
  error: 3,
  invalid: 4,
  bug: 70,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** One sentence per exit code, for `--help` and the documentation. */
export const EXIT_MEANING: Readonly<Record<ExitCode, string>> = {
  0: 'everything held',
  1: 'an invariant, a threshold or the convergence failed, or the controller exited unasked',
  2: 'bad usage or a bad scenario; nothing was started',
  3: 'the cluster, the toolchain or the recording failed; the operator was not judged',
  4: 'the run is invalid: the machine or the recording was not good enough to judge by',
  70: 'a bug in sim',
  130: 'interrupted by SIGINT or SIGHUP, with a partial report',
  143: 'terminated by SIGTERM, with a partial report',
};
