import { cpus, release, totalmem, userInfo } from 'node:os';
import { realClock } from './real-clock.ts';
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
    processes: realProcesses,
    files: realFiles,
    network: realNetwork,
    terminal: realTerminal(env),
    signals: realSignals,
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
