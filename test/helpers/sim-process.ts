import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunReport } from '../../src/sim/model/run-report.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const MAIN = join(ROOT, 'dist', 'main.js');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A place of its own for everything a run of sim writes, so that runs of other tests and people stay apart. */
export class SimHome {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<SimHome> {
    return new SimHome(await mkdtemp(join(tmpdir(), 'sim-e2e-')));
  }

  get stateHome(): string {
    return join(this.path, 'state');
  }

  get output(): string {
    return join(this.path, 'run');
  }

  start(args: readonly string[], env: Record<string, string> = {}, stdin = ''): SimProcess {
    return new SimProcess(args, { XDG_STATE_HOME: this.stateHome, ...env }, this.path, stdin);
  }

  run(args: readonly string[], env: Record<string, string> = {}, stdin = ''): Promise<Ended> {
    return this.start(args, env, stdin).ended;
  }

  async report(directory = this.output): Promise<RunReport> {
    return JSON.parse(await readFile(join(directory, 'report.json'), 'utf8')) as RunReport;
  }

  /** The ids of runs that have a record. */
  async recorded(): Promise<readonly string[]> {
    const names = await readdir(join(this.stateHome, 'sim', 'runs')).catch(() => []);
    return names.map((name) => name.replace(/\.json$/, ''));
  }

  /** What runs have left: records, work directories, locks. */
  async leftovers(): Promise<readonly string[]> {
    const places = ['runs', 'work', 'locks'].map(async (place) => {
      const names = await readdir(join(this.stateHome, 'sim', place)).catch(() => []);
      return names.map((name) => `${place}/${name}`);
    });
    return (await Promise.all(places)).flat();
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** One `node dist/main.js …`, the way a lane starts it. */
export class SimProcess {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  #stdout = '';
  #stderr = '';
  #listeners: (() => void)[] = [];

  constructor(args: readonly string[], env: Record<string, string>, cwd: string, stdin: string) {
    this.#child = spawn(process.execPath, [MAIN, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin?.end(stdin);
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      for (const listener of this.#listeners) listener();
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr });
        for (const listener of this.#listeners) listener();
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves with the match once the progress says so; rejects when the process ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(this.#stderr);
        const isOver = this.#child.exitCode !== null || this.#child.signalCode !== null;
        if (!match && !isOver) return;
        this.#listeners = this.#listeners.filter((listener) => listener !== look);
        if (match) resolve(match);
        else
          reject(
            new Error(
              `sim ended without saying ${String(pattern)}:\n${this.#stderr}${this.#stdout}`,
            ),
          );
      };
      this.#listeners.push(look);
      look();
    });
  }

  /** The kubeconfig of the run's cluster, once that is ready. */
  async kubeconfig(): Promise<string> {
    const [, path = ''] = await this.says(/KUBECONFIG=(\S+)/);
    return path;
  }
}
