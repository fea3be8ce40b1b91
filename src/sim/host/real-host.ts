import { randomInt } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { cpus, release, totalmem, userInfo } from 'node:os';
import { startLoopDelay } from './loop-delay.ts';
import { realClock } from './real-clock.ts';
import { realCgroups } from './cgroups.ts';
import { realCommands } from './commands.ts';
import { realFiles } from './files.ts';
import type { Host, Platform } from './host.ts';
import { realNetwork } from './network.ts';
import { realProcesses } from './processes.ts';
import { realSignals } from './signals.ts';
import { realTerminal } from './terminal.ts';

const GO_ARCH: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The real machine. Built once, in `main.ts`. */
export function realHost(packageRoot: string): Host {
  const env = { ...process.env };
  return {
    clock: realClock,
    commands: realCommands,
    cgroups: realCgroups(),
    processes: realProcesses,
    files: realFiles,
    network: realNetwork,
    terminal: realTerminal(env),
    signals: realSignals,
    startLoopDelay,
    randomId,
    readStdin: () => text(process.stdin),
    exitNow: (code) => process.exit(code),
    env,
    cwd: process.cwd(),
    packageRoot,
    platform: realPlatform(),
  };
}

const realPlatform = (): Platform => ({
  os: process.platform,
  arch: GO_ARCH[process.arch] ?? process.arch,
  nodeVersion: process.version,
  kernel: release(),
  cpuModel: cpus()[0]?.model ?? 'unknown',
  cpus: cpus().length,
  memoryBytes: totalmem(),
  uid: userInfo().uid,
});

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

const randomId = (): string =>
  Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join('');
