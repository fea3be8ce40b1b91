import { reasonOf, SimError } from '../base/errors.ts';
import { lastLines } from '../base/text.ts';
import { waitFor } from '../base/wait.ts';
import { endProcesses } from '../host/end-processes.ts';
import type { Cgroup, Throttling } from '../host/cgroups.ts';
import type { Host } from '../host/host.ts';
import {
  exitText,
  type ChildHandle,
  type ProcessExit,
  type ProcessIdentity,
} from '../host/processes.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Readiness } from '../model/controller-spec.ts';
import type { ControllerDescription, ControllerUnderTest, OwnProcess } from './controller.ts';
import { readinessCheck } from './readiness.ts';

const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 50;
/** How long it may take to end when it is asked politely. */
const END_TIMEOUT_MS = 30_000;
const LOG_TAIL = 15;

export interface ProcessSettings {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly readiness: Readiness;
  readonly logFile: string;
  readonly description: ControllerDescription;
  readonly versions?: Readonly<Record<string, string>>;
  /** The group that its command makes it join; undefined where it has no limits. */
  readonly cgroup?: Cgroup | undefined;
  readonly onProcess: (process: ProcessIdentity) => Promise<void>;
}

/** A controller that runs as a process of this machine. */
export class ProcessController implements ControllerUnderTest, OwnProcess {
  readonly description: ControllerDescription;
  readonly versions: Readonly<Record<string, string>>;
  readonly #host: Host;
  readonly #kube: KubeClient;
  readonly #settings: ProcessSettings;
  #identity: ProcessIdentity | undefined;
  #child: ChildHandle | undefined;
  #exit: ProcessExit | undefined;
  #startedAtMs = 0;
  /** Never rejects. */
  #startingAgain: Promise<unknown> | undefined;

  constructor(host: Host, kube: KubeClient, settings: ProcessSettings) {
    this.#host = host;
    this.#kube = kube;
    this.#settings = settings;
    this.description = settings.description;
    this.versions = settings.versions ?? {};
  }

  get own(): OwnProcess {
    return this;
  }

  process(): ProcessIdentity | undefined {
    return this.#identity;
  }

  async logTail(lines: number): Promise<readonly string[]> {
    return lastLines((await this.#readLog()) ?? '', lines);
  }

  lastExit(): ProcessExit | undefined {
    return this.#exit;
  }

  ageMs(): number {
    return this.#host.clock.now() - this.#startedAtMs;
  }

  async throttling(): Promise<Throttling | undefined> {
    return this.#settings.cgroup?.throttling();
  }

  /** Starts it and waits until it is ready. Throws SIM_CONTROLLER_START with the end of its log. */
  async start(abort: AbortSignal): Promise<void> {
    const logStart = (await this.#readLog())?.length ?? 0;
    const identity = await this.#spawn();
    await this.#waitReady(logStart, abort);
    this.#identity = identity;
  }

  async restart(signal: 'SIGTERM' | 'SIGKILL', abort: AbortSignal): Promise<void> {
    if (this.#startingAgain) await this.#startingAgain; // what it starts must be ended, too
    const before = this.#identity;
    this.#identity = undefined; // while it is down on purpose, nobody shall miss it
    if (before) await this.#end(before, signal, abort);
    await this.start(abort);
  }

  async startAgain(ended: ProcessIdentity): Promise<ProcessIdentity | undefined> {
    if (this.#identity?.pid !== ended.pid) return undefined;
    this.#identity = undefined;
    const starting = this.#replace(ended);
    this.#startingAgain = starting.catch(() => undefined);
    return starting;
  }

  async #replace(ended: ProcessIdentity): Promise<ProcessIdentity> {
    // Children that it left behind would go on as a second controller.
    const left = await this.#host.processes.findBySession([ended]);
    await endProcesses(this.#host, left, END_TIMEOUT_MS);
    this.#identity = await this.#spawn();
    return this.#identity;
  }

  async #spawn(): Promise<ProcessIdentity> {
    const child = await this.#spawnChild();
    this.#child = child;
    this.#exit = undefined;
    this.#startedAtMs = this.#host.clock.now();
    void child.exited.then((exit) => {
      if (this.#child === child) this.#exit = exit;
    });
    await this.#settings.onProcess(child.identity);
    return child.identity;
  }

  async #spawnChild(): Promise<ChildHandle> {
    const { program, args, env, workingDirectory: cwd, logFile } = this.#settings;
    try {
      return await this.#host.processes.spawn(program, args, { env, cwd, logFile });
    } catch (error) {
      // The system says of a missing directory that it is the program that is missing.
      if (!(await this.#host.files.stat(cwd))?.isDirectory)
        throw new SimError(
          'SIM_CONTROLLER_START',
          `cannot start ${program}: its working directory ${cwd} does not exist`,
          { cause: error },
        );
      throw new SimError('SIM_CONTROLLER_START', reasonOf(error), {
        cause: error,
        hint: 'is the path right, seen from the working directory, and is it executable?',
      });
    }
  }

  async #waitReady(logStart: number, abort: AbortSignal): Promise<void> {
    const { readiness, logFile } = this.#settings;
    const check = readinessCheck(readiness, {
      host: this.#host,
      kube: this.#kube,
      logFile,
      logStart,
      signal: abort,
    });
    try {
      await waitFor({
        what: `the controller to be ready: ${check.describe}`,
        clock: this.#host.clock,
        timeoutMs: READY_TIMEOUT_MS,
        intervalMs: POLL_MS,
        signal: abort,
        code: 'SIM_CONTROLLER_START',
        lastState: () => check.lastState(),
        onTimeout: async () => ({ details: await this.logTail(LOG_TAIL) }),
        probe: async () => {
          if (this.#exit) throw await this.#exitedTooSoon(this.#exit);
          return (await check.isReady()) ? true : undefined;
        },
      });
    } finally {
      await check.close();
    }
  }

  async #exitedTooSoon(exit: ProcessExit): Promise<SimError> {
    return new SimError(
      'SIM_CONTROLLER_START',
      `the controller ended before it was ready: ${exitText(exit)}`,
      {
        details: await this.logTail(LOG_TAIL),
        hint: `its whole log is ${this.#settings.logFile}`,
      },
    );
  }

  async #end(
    process: ProcessIdentity,
    signal: 'SIGTERM' | 'SIGKILL',
    abort: AbortSignal,
  ): Promise<void> {
    this.#host.processes.signal(process.pid, signal, { group: true });
    try {
      await waitFor({
        what: `the controller (pid ${process.pid}) to end after ${signal}`,
        clock: this.#host.clock,
        timeoutMs: END_TIMEOUT_MS,
        intervalMs: POLL_MS,
        signal: abort,
        probe: async () => ((await this.#host.processes.isRunning(process)) ? undefined : true),
      });
    } catch (error) {
      abort.throwIfAborted();
      // Children that it leaves behind would go on as a second controller.
      if (await this.#host.processes.isRunning(process))
        this.#host.processes.signal(process.pid, 'SIGKILL', { group: true });
      if ((await endProcesses(this.#host, [process], END_TIMEOUT_MS)).length > 0) throw error;
    }
  }

  #readLog(): Promise<string | undefined> {
    return this.#host.files.readTextIfAny(this.#settings.logFile);
  }
}
