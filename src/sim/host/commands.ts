import { execa, type Options } from 'execa';
import { SimError } from '../base/errors.ts';
import { formatDuration } from '../base/duration.ts';
import { lastLines } from '../base/text.ts';

export interface CommandOptions {
  readonly timeoutMs: number;
  readonly cwd?: string;
  /** The whole environment of the program; nothing is added to it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Called with each line of output while the program runs, and never after `run` has ended. */
  readonly onLine?: (line: string) => void;
  /** Files the program makes are readable by their owner only (umask 077). */
  readonly privateFiles?: boolean;
  readonly input?: string;
  /** Those that are no failure. Default: 0. */
  readonly exitCodes?: readonly number[];
}

export interface CommandResult {
  readonly command: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** Runs programs to their end. Arguments are an array, never a shell's text. */
export interface CommandRunner {
  /**
   * Runs a program in a process group of its own, which is killed as a whole on time-out and on abort.
   * Throws SIM_COMMAND when it cannot be started, exits with a code that is a failure, or takes too long.
   */
  run(file: string, args: readonly string[], options: CommandOptions): Promise<CommandResult>;
}

export const realCommands: CommandRunner = {
  async run(file, args, options) {
    const { child, kill, forwarded } = start(file, args, options);
    const stopListening = onAbort(options.signal, kill);
    const late = alarm(options.timeoutMs, kill);
    try {
      const result = await child;
      await forwarded;
      options.signal?.throwIfAborted();
      if (late.isUp()) throw tooLong(result.escapedCommand, options.timeoutMs, result.stderr);
      const { exitCode } = result;
      const isFine = exitCode !== undefined && (options.exitCodes ?? [0]).includes(exitCode);
      if (!isFine) throw commandError(file, result);
      return {
        command: result.escapedCommand,
        exitCode,
        stdout: result.stdout,
        stderr: result.stderr,
        durationMs: result.durationMs,
      };
    } finally {
      late.stop();
      stopListening();
    }
  },
};

function start(file: string, args: readonly string[], options: CommandOptions) {
  const settings = {
    detached: true,
    reject: false,
    extendEnv: false,
    cleanup: true,
    stdin: options.input === undefined ? 'ignore' : 'pipe',
    stripFinalNewline: true,
    env: defined(options.env),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.input === undefined ? {} : { input: options.input }),
  } as const satisfies Options;
  const child = withUmask(options.privateFiles === true, () => execa(file, args, settings));
  return {
    child,
    forwarded: options.onLine && forwardLines(child, options.onLine),
    kill: () => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    },
  };
}

/** The umask is inherited at the fork, which happens inside `spawn`, before it returns. */
export function withUmask<T>(privateFiles: boolean, spawn: () => T): T {
  if (!privateFiles) return spawn();
  const before = process.umask(0o077);
  try {
    return spawn();
  } finally {
    process.umask(before);
  }
}

/** Signals a whole process group; a group that is gone is no error. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export const defined = (
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** Resolves when the last line was passed on. */
async function forwardLines(
  child: { iterable: (options: { from: 'all' | 'stdout' | 'stderr' }) => AsyncIterable<unknown> },
  onLine: (line: string) => void,
): Promise<void> {
  const forward = async (from: 'stdout' | 'stderr'): Promise<void> => {
    for await (const line of child.iterable({ from })) onLine(String(line));
  };
  await Promise.allSettled([forward('stdout'), forward('stderr')]); // how it ended is told by the result
}

function alarm(timeoutMs: number, ring: () => void) {
  let up = false;
  const timer = setTimeout(() => {
    up = true;
    ring();
  }, timeoutMs);
  return {
    isUp: () => up,
    stop: () => {
      clearTimeout(timer);
    },
  };
}

function onAbort(signal: AbortSignal | undefined, kill: () => void): () => void {
  if (!signal) return () => undefined;
  if (signal.aborted) kill();
  signal.addEventListener('abort', kill, { once: true });
  return () => {
    signal.removeEventListener('abort', kill);
  };
}

interface FailedResult {
  readonly code?: string | undefined;
  readonly escapedCommand: string;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly originalMessage?: string | undefined;
}

function commandError(file: string, result: FailedResult): SimError {
  const details = lastLines(`${result.stdout}\n${result.stderr}`, 12);
  if (result.code === 'ENOENT')
    return new SimError('SIM_COMMAND', `the program "${file}" was not found`);
  const how =
    result.exitCode !== undefined
      ? `exited with code ${result.exitCode}`
      : result.signal !== undefined
        ? `was ended by ${result.signal}`
        : `could not be started (${result.originalMessage ?? result.code ?? 'no reason given'})`;
  return new SimError('SIM_COMMAND', `${result.escapedCommand} ${how}`, { details });
}

const tooLong = (command: string, timeoutMs: number, stderr: string): SimError =>
  new SimError('SIM_COMMAND', `${command} took longer than ${formatDuration(timeoutMs)}`, {
    details: lastLines(stderr, 12),
  });
