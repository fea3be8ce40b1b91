import { join } from 'node:path';
import { SimError } from '../base/errors.ts';
import { lastLines } from '../base/text.ts';
import { waitFor } from '../base/wait.ts';
import type { Host } from '../host/host.ts';
import { endProcesses } from '../host/end-processes.ts';
import type { ProcessIdentity } from '../host/processes.ts';
import { HealthProbe } from '../kube/health.ts';
import type { KwokctlPorts } from './kwokctl-config.ts';
import type { KwokctlPaths } from './kwokctl-paths.ts';
import type { Capabilities, ClusterHandle, Component, HealthEndpoint } from './runtime.ts';

const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 30;
/** How long a component may take to end when it is asked politely. */
const END_TIMEOUT_MS = 30_000;
const START_TIMEOUT_MS = 30_000;
const LOG_TAIL = 12;
const READYZ: HealthEndpoint = { path: '/readyz' };
const HEALTHZ: HealthEndpoint = { path: '/healthz' };

/** The programs of a cluster, by the names that kwokctl gives to their files. */
const COMPONENTS = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok-controller',
] as const;

interface Settings {
  readonly paths: KwokctlPaths;
  readonly kwokctl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly capabilities: Capabilities;
  readonly versions: Readonly<Record<string, string>>;
  readonly onProcesses: (processes: readonly ProcessIdentity[]) => Promise<void>;
}

/** A cluster made by kwokctl's binary runtime. kwokctl's word that it is ready is not taken for it. */
export class KwokctlCluster implements ClusterHandle {
  readonly runtime = 'kwokctl';
  readonly capabilities: Capabilities;
  readonly versions: Readonly<Record<string, string>>;
  readonly #host: Host;
  readonly #settings: Settings;
  readonly #processes = new Map<string, ProcessIdentity>();
  #ports: KwokctlPorts | undefined;

  constructor(host: Host, settings: Settings) {
    this.#host = host;
    this.#settings = settings;
    this.capabilities = settings.capabilities;
    this.versions = settings.versions;
  }

  get kubeconfigPath(): string {
    return this.#settings.paths.kubeconfig;
  }

  components(): readonly Component[] {
    return [...this.#processes].map(([name, process]) => ({ name, process }));
  }

  /** Reads kwokctl's pid files. Throws SIM_CLUSTER_START when a component is not running. */
  async findProcesses(): Promise<void> {
    for (const name of COMPONENTS) await this.#findProcess(name);
    await this.#settings.onProcesses([...this.#processes.values()]);
  }

  /** Ready: all alive, the ports in their hands and on loopback only, and the API server says so itself. */
  async waitUntilReady(ports: KwokctlPorts, signal: AbortSignal): Promise<void> {
    this.#ports = ports;
    await this.waitHealthy('kube-apiserver', READYZ, signal);
    await this.waitHealthy('kube-controller-manager', HEALTHZ, signal);
    await this.#checkListeners(ports);
  }

  async auditLogs(): Promise<readonly string[]> {
    const names = await this.#host.files.list(this.#settings.paths.logs);
    const rotated = names.filter((name) => /^audit-.+\.log$/.test(name));
    const current = names.filter((name) => name === 'audit.log');
    return [...rotated, ...current].map((name) => join(this.#settings.paths.logs, name));
  }

  async logTail(component: string, lines: number): Promise<readonly string[]> {
    const text = await this.#host.files.readTextIfAny(this.#logPath(component));
    return lastLines(text ?? '', lines);
  }

  async collectLogs(directory: string): Promise<void> {
    await this.#host.files.makeDirectory(directory);
    const names = await this.#host.files.list(this.#settings.paths.logs);
    for (const name of names.filter((file) => !file.startsWith('audit')))
      await this.#host.files.copy(join(this.#settings.paths.logs, name), join(directory, name));
  }

  async waitHealthy(
    name: string,
    { path, says = '' }: HealthEndpoint,
    signal: AbortSignal,
  ): Promise<void> {
    // Only the API server's certificate is signed by the cluster's own CA; the others make one for themselves.
    const ca = name === 'kube-apiserver' ? await this.#readCa() : undefined;
    const probe = new HealthProbe(this.#url(name, path), ca);
    let last = 'no answer yet';
    try {
      await waitFor({
        what: `${name} to answer ${path} with 200${says === '' ? '' : ` and ${says}`}`,
        clock: this.#host.clock,
        timeoutMs: READY_TIMEOUT_MS,
        intervalMs: POLL_MS,
        signal,
        code: 'SIM_CLUSTER_START',
        lastState: () => last,
        onTimeout: async () => ({ details: await this.logTail(name, LOG_TAIL) }),
        probe: async () => {
          await this.#checkAlive();
          const health = await probe.ask();
          last = health.detail.slice(0, 200);
          return health.ok && health.detail.includes(says) ? true : undefined;
        },
      });
    } finally {
      await probe.close();
    }
  }

  async restartComponent(
    name: string,
    signal: 'SIGTERM' | 'SIGKILL',
    abort: AbortSignal,
  ): Promise<void> {
    const before = this.#processes.get(name);
    if (!before) throw new SimError('SIM_BUG', `the cluster has no component ${name}`);
    this.#processes.delete(name); // while it is down on purpose, nobody shall miss it
    await this.#end(name, before, signal, abort);
    const { files, commands } = this.#host;
    const { paths, kwokctl, env } = this.#settings;
    // kwokctl empties the log of a component that it starts, and takes a pid that is still known for a running one.
    await files
      .copy(this.#logPath(name), this.#logPath(`${name}.${before.pid}`))
      .catch(() => undefined);
    await files.remove(this.#pidPath(name));
    await commands.run(kwokctl, ['start', 'cluster', '--name', paths.cluster], {
      env,
      timeoutMs: START_TIMEOUT_MS,
      signal: abort,
      privateFiles: true,
      cwd: paths.home,
    });
    await this.#settings.onProcesses([await this.#findProcess(name)]);
    await this.waitHealthy(name, name === 'kube-apiserver' ? READYZ : HEALTHZ, abort);
  }

  async #end(
    name: string,
    process: ProcessIdentity,
    signal: 'SIGTERM' | 'SIGKILL',
    abort: AbortSignal,
  ): Promise<void> {
    this.#host.processes.signal(process.pid, signal);
    await waitFor({
      what: `${name} (pid ${process.pid}) to end after ${signal}`,
      clock: this.#host.clock,
      timeoutMs: END_TIMEOUT_MS,
      intervalMs: POLL_MS,
      signal: abort,
      probe: async () => ((await this.#host.processes.isRunning(process)) ? undefined : true),
    }).catch(async (error: unknown) => {
      abort.throwIfAborted();
      const left = await endProcesses(this.#host, [process], END_TIMEOUT_MS);
      if (left.length > 0) throw error;
    });
  }

  async #findProcess(name: string): Promise<ProcessIdentity> {
    const pid = Number(await this.#host.files.readTextIfAny(this.#pidPath(name)));
    const process = pid > 0 ? await this.#host.processes.identify(pid) : undefined;
    if (!process) throw await this.#startError(`${name} is not running`, name);
    this.#processes.set(name, process);
    return process;
  }

  #readCa(): Promise<string> {
    return this.#host.files.readText(join(this.#settings.paths.pki, 'ca.crt'));
  }

  #url(name: string, path: string): string {
    const ports = {
      'kube-apiserver': this.#ports?.apiserver,
      'kube-controller-manager': this.#ports?.controllerManager,
      'kube-scheduler': this.#ports?.scheduler,
      'kwok-controller': this.#ports?.kwok,
    };
    return `https://127.0.0.1:${ports[name as keyof typeof ports] ?? 0}${path}`;
  }

  async #checkAlive(): Promise<void> {
    for (const [name, process] of this.#processes)
      if (!(await this.#host.processes.isRunning(process)))
        throw await this.#startError(`${name} ended while the cluster was starting`, name);
  }

  /**
   * An API server whose etcd port is in another cluster's hands runs on that cluster's data without a word. And
   * nothing of ours may listen beyond loopback.
   */
  async #checkListeners({ etcd, apiserver }: KwokctlPorts): Promise<void> {
    for (const [name, process] of this.#processes) {
      const listeners = await this.#host.network.listenersOf(process.pid);
      const open = listeners.find(({ address }) => !address.startsWith('127.'));
      if (open)
        throw await this.#startError(
          `${name} listens on ${open.address}:${open.port}, beyond loopback`,
          name,
        );
      const own = { etcd, 'kube-apiserver': apiserver }[name];
      if (own !== undefined && !listeners.some(({ port }) => port === own))
        throw await this.#startError(
          `port ${own} of ${name} is in the hands of another process`,
          name,
        );
    }
  }

  async #startError(what: string, component: string): Promise<SimError> {
    return new SimError('SIM_CLUSTER_START', `the cluster did not come up: ${what}`, {
      details: await this.logTail(component, LOG_TAIL),
    });
  }

  #pidPath(name: string): string {
    return join(this.#settings.paths.pids, `${name}.pid`);
  }

  #logPath(name: string): string {
    return join(this.#settings.paths.logs, `${name}.log`);
  }
}
