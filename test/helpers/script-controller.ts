import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../src/sim/base/clock.ts';
import { waitFor } from '../../src/sim/base/wait.ts';
import {
  ProcessController,
  type ProcessSettings,
} from '../../src/sim/controllers/process-controller.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import type { ProcessIdentity } from '../../src/sim/host/processes.ts';
import { temporaryDirectory } from './kubeconfig.ts';
import { plainClient } from './plain-client.ts';
import { processesOf } from './run-processes.ts';
import { ROOT } from './sim-process.ts';

const HOST = realHost(ROOT);
export const PATH = process.env['PATH'] ?? '';

/** A directory for controllers that are shell scripts, and what is left of them in it. */
export class ScriptControllers {
  readonly host = HOST;
  readonly runId = `test-${HOST.randomId()}`;
  /** The processes that were told of, in order. */
  readonly told: ProcessIdentity[] = [];
  readonly directory: string;
  readonly logFile: string;
  readonly #remove: () => Promise<void>;
  readonly #kube = plainClient('http://127.0.0.1:9'); // no condition is waited for

  private constructor(directory: Awaited<ReturnType<typeof temporaryDirectory>>) {
    this.directory = directory.path;
    this.logFile = join(directory.path, 'controller.log');
    this.#remove = () => directory.remove();
  }

  static async make(): Promise<ScriptControllers> {
    return new ScriptControllers(await temporaryDirectory());
  }

  /** Ready when it says so at the beginning of a line. */
  of(script: string, more: Partial<ProcessSettings> = {}, clock?: Clock): ProcessController {
    const host = { ...this.host, clock: clock ?? this.host.clock };
    return new ProcessController(host, this.#kube, {
      program: 'sh',
      args: ['-c', script],
      env: { PATH, SIM_RUN_ID: this.runId },
      workingDirectory: this.directory,
      readiness: { log: '^ready' },
      logFile: this.logFile,
      description: {
        kind: 'command',
        reference: false,
        command: ['sh'],
        identity: null,
        flowSchema: null,
        limits: null,
      },
      onProcess: (process) => {
        this.told.push(process);
        return Promise.resolve();
      },
      ...more,
    });
  }

  log(): Promise<string> {
    return readFile(this.logFile, 'utf8');
  }

  async runs(pid: number): Promise<boolean> {
    return (await this.host.processes.identify(pid)) !== undefined;
  }

  ended(pid: number): Promise<true> {
    return waitFor({
      what: `process ${pid} to end`,
      clock: this.host.clock,
      timeoutMs: 5000,
      intervalMs: 10,
      probe: async () => ((await this.runs(pid)) ? undefined : true),
    });
  }

  async remove(): Promise<void> {
    for (const { pid } of await processesOf(this.runId)) this.host.processes.signal(pid, 'SIGKILL');
    await this.#kube.close();
    await this.#remove();
  }
}
