import type { ExitCode } from '../base/exit-codes.ts';
import type { Clock } from '../base/clock.ts';
import type { Cgroups } from './cgroups.ts';
import type { CommandRunner } from './commands.ts';
import type { Files } from './files.ts';
import type { LoopDelay } from './loop-delay.ts';
import type { Network } from './network.ts';
import type { Processes } from './processes.ts';
import type { Signals } from './signals.ts';
import type { Terminal } from './terminal.ts';

/**
 * Everything outside the program: built once in `main.ts`, passed down, replaced in tests. No other folder may
 * touch processes, files, the environment, the clock, signals or the terminal.
 */
export interface Host {
  readonly clock: Clock;
  readonly commands: CommandRunner;
  readonly cgroups: Cgroups;
  readonly processes: Processes;
  readonly files: Files;
  readonly network: Network;
  readonly terminal: Terminal;
  readonly signals: Signals;
  /** Begins to measure the delay of the event loop. */
  startLoopDelay(): LoopDelay;
  /** Everything on standard input. */
  readStdin(): Promise<string>;
  /** Ends sim at once, without tidying up. */
  exitNow(code: ExitCode): void;
  /** Random text for names: eight characters of a-z and 0-9, from the system's source. */
  randomId(): string;
  /** The environment as it was at the start. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The folder that holds `package.json`, `templates/`, `toolchain/`, `scenarios/` and `kind/`. */
  readonly packageRoot: string;
  readonly platform: Platform;
}

export interface Platform {
  readonly os: string;
  /** Go's name of the architecture: `amd64`, `arm64`. */
  readonly arch: string;
  readonly nodeVersion: string;
  readonly kernel: string;
  readonly cpuModel: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly uid: number;
}
