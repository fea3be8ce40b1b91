import { closeSync, openSync, readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { spawn as spawnChild } from 'node:child_process';
import { once } from 'node:events';
import { reasonOf, SimError } from '../base/errors.ts';
import { defined, signalGroup, withUmask } from './commands.ts';

/** Who a process is: a pid alone may have been given to somebody else since. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from the boot to the start of the process (field 22 of /proc/PID/stat). */
  readonly startTicks: number;
  readonly bootId: string;
  readonly command: string;
}

export interface ProcessUsage {
  /** CPU time used since the process started, user and system. */
  readonly cpuMs: number;
  readonly rssBytes: number;
}

export interface SpawnOptions {
  readonly cwd?: string;
  /** The whole environment of the program; nothing is added to it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output and standard error are appended to this file. */
  readonly logFile: string;
  readonly privateFiles?: boolean;
}

export interface ProcessExit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

/** For messages: `exit code 1`, `ended by SIGKILL`. */
export const exitText = ({ exitCode, signal }: ProcessExit): string =>
  exitCode === undefined ? `ended by ${signal ?? 'a signal'}` : `exit code ${exitCode}`;

export interface ChildHandle {
  readonly pid: number;
  readonly command: string;
  /** Known also of one that ended at once: what it started may be running still. */
  readonly identity: ProcessIdentity;
  /** Resolves when the process has ended; never rejects. */
  readonly exited: Promise<ProcessExit>;
}

/** Long-living processes: starting them, knowing them again, measuring and ending them. */
export interface Processes {
  /** Starts a program as the leader of a process group of its own. Throws SIM_COMMAND when it cannot start. */
  spawn(file: string, args: readonly string[], options: SpawnOptions): Promise<ChildHandle>;
  /** Undefined when no such process is running (a zombie is not running). */
  identify(pid: number): Promise<ProcessIdentity | undefined>;
  /** Whether this very process is still running, not merely its pid. */
  isRunning(identity: ProcessIdentity): Promise<boolean>;
  /** Signals one process, or with `group` its whole process group. One that is gone is no error. */
  signal(pid: number, signal: NodeJS.Signals, options?: { readonly group?: boolean }): void;
  /** Undefined when the process is gone. */
  usage(pid: number): Promise<ProcessUsage | undefined>;
  /** Processes of this user whose environment holds the variable with the value. */
  findByEnvironment(name: string, value: string): Promise<readonly ProcessIdentity[]>;
  /**
   * Processes of the sessions that these leaders began, whatever their environment. A leader itself may be gone; where
   * somebody else has taken over its pid, so is its session.
   */
  findBySession(leaders: readonly ProcessIdentity[]): Promise<readonly ProcessIdentity[]>;
  readonly own: { readonly pid: number };
}

const TICK_MS = 10; // USER_HZ is 100 on every Linux that Node.js runs on
const PAGE_BYTES = 4096;

export const realProcesses: Processes = {
  own: { pid: process.pid },
  spawn,
  identify,
  isRunning: async ({ pid, startTicks, bootId: boot }) => {
    const stat = await readStat(pid);
    return (
      stat !== undefined &&
      isLive(stat) &&
      stat.startTicks === startTicks &&
      boot === (await bootId())
    );
  },
  signal(pid, signal, options) {
    if (options?.group === true) {
      signalGroup(pid, signal);
      return;
    }
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  },
  async usage(pid) {
    const stat = await readStat(pid);
    if (!stat) return undefined;
    return {
      cpuMs: (stat.userTicks + stat.systemTicks) * TICK_MS,
      rssBytes: stat.rssPages * PAGE_BYTES,
    };
  },
  findByEnvironment: (name, value) =>
    findWhere(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environment.split('\0').includes(`${name}=${value}`);
    }),
  async findBySession(leaders) {
    const boot = await bootId();
    const begun = new Map<number, number>();
    for (const { pid, startTicks, bootId: its } of leaders) {
      const there = await readStat(pid);
      const isTaken = there !== undefined && there.startTicks !== startTicks;
      if (its === boot && !isTaken) begun.set(pid, startTicks);
    }
    return begun.size === 0
      ? []
      : findWhere(async (pid) => {
          const stat = await readStat(pid);
          return stat !== undefined && stat.startTicks >= (begun.get(stat.session) ?? Infinity);
        });
  },
};

/** The running processes, of all users, for which it holds. */
async function findWhere(
  holds: (pid: number) => Promise<boolean>,
): Promise<readonly ProcessIdentity[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => ((await holds(pid)) ? identify(pid) : undefined)),
  );
  return found.filter((identity) => identity !== undefined);
}

/** Node's own spawn, not execa: the log must be a plain descriptor, so that it outlives sim itself. */
async function spawn(
  file: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<ChildHandle> {
  const log = openSync(options.logFile, 'a', 0o600);
  const child = withUmask(options.privateFiles === true, () =>
    spawnChild(file, args, {
      detached: true,
      env: defined(options.env),
      stdio: ['ignore', log, log],
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    }),
  );
  closeSync(log);
  // Before anything is awaited: until then, a child that has ended cannot have been reaped.
  const stat = child.pid === undefined ? undefined : parseStat(statText(child.pid));
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ exitCode: code ?? undefined, signal: signal ?? undefined });
    });
  });
  try {
    await once(child, 'spawn'); // rejects with the reason when there is no such program
  } catch (error) {
    throw new SimError('SIM_COMMAND', `cannot start ${file}: ${reasonOf(error)}`, { cause: error });
  }
  child.unref();
  const pid = child.pid ?? 0;
  const command = [file, ...args].join(' ');
  const startTicks = stat?.startTicks ?? 0;
  return { pid, command, identity: { pid, startTicks, bootId: await bootId(), command }, exited };
}

async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const [stat, command] = await Promise.all([
    readStat(pid),
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
  ]);
  if (!stat || !isLive(stat)) return undefined;
  return {
    pid,
    startTicks: stat.startTicks,
    bootId: await bootId(),
    command: command.split('\0').join(' ').trim(),
  };
}

/** A zombie has ended; only its parent has not noticed. */
const isLive = ({ state }: ProcStat): boolean => state !== 'Z' && state !== 'X';

let knownBootId: Promise<string> | undefined;
const bootId = (): Promise<string> =>
  (knownBootId ??= readFile('/proc/sys/kernel/random/boot_id', 'utf8').then((text) => text.trim()));

interface ProcStat {
  readonly state: string;
  readonly session: number;
  readonly userTicks: number;
  readonly systemTicks: number;
  readonly startTicks: number;
  readonly rssPages: number;
}

const readStat = async (pid: number): Promise<ProcStat | undefined> =>
  parseStat(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined));

function statText(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // no /proc: then no process can be known again
  }
}

/** proc(5): the second field, the name, may itself hold spaces and brackets, so count from its last bracket. */
function parseStat(text: string | undefined): ProcStat | undefined {
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    state: fields[0] ?? 'X',
    session: field(6),
    userTicks: field(14),
    systemTicks: field(15),
    startTicks: field(22),
    rssPages: field(24),
  };
}
