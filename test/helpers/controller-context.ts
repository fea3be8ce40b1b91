import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControllerContext } from '../../src/sim/controllers/start-controller.ts';
import type { Host } from '../../src/sim/host/host.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { controllerShapes, type ControllerSpec } from '../../src/sim/model/controller-spec.ts';
import { FakeApiServer, send, type Trouble } from './fake-apiserver.ts';
import { temporaryDirectory, writeKubeconfig } from './kubeconfig.ts';
import { plainClient } from './plain-client.ts';
import { processesOf } from './run-processes.ts';
import { ROOT } from './sim-process.ts';

const HOST = realHost(ROOT);
export const TOKEN = 'a-token';
export const USER = 'system:serviceaccount:operator:sim-controller';

const answerWith =
  (body: unknown): Trouble =>
  ({ response }) => {
    send(response, { status: 201, body });
  };

/** What a scenario says of a command, with what is left out filled in. */
export const commandOf = (spec: {
  readonly command: string;
  readonly [field: string]: unknown;
}): Extract<ControllerSpec, { kind: 'command' }> => ({
  kind: 'command',
  ...controllerShapes.command.parse({ readiness: { log: '^ready' }, ...spec }),
});

/** The run around a controller: its directories, and an API server that gives it an identity. */
export class ControllerRun {
  readonly server: FakeApiServer;
  readonly directory: string;
  readonly runId = `test-${HOST.randomId()}`;
  readonly #kube: KubeClient;
  readonly #adminKubeconfig: string;
  readonly #remove: () => Promise<void>;

  private constructor(
    server: FakeApiServer,
    directory: Awaited<ReturnType<typeof temporaryDirectory>>,
    adminKubeconfig: string,
  ) {
    this.server = server;
    this.directory = directory.path;
    this.#kube = plainClient(server.url);
    this.#adminKubeconfig = adminKubeconfig;
    this.#remove = () => directory.remove();
  }

  static async make(cluster: Readonly<Record<string, unknown>> = {}): Promise<ControllerRun> {
    const server = await FakeApiServer.start();
    const directory = await temporaryDirectory();
    for (const name of ['work', 'run', 'cwd']) await mkdir(join(directory.path, name));
    const admin = { 'client-certificate-data': '', username: 'admin', password: 'secret' };
    const kubeconfig = await writeKubeconfig(
      directory.path,
      { server: server.url, ...cluster },
      admin,
    );
    // The account, the binding, the token, who that is, and the request that tells the flow schema.
    server.troubles.push(
      answerWith({}),
      answerWith({}),
      answerWith({ status: { token: TOKEN } }),
      answerWith({ status: { userInfo: { username: USER } } }),
    );
    return new ControllerRun(server, directory, kubeconfig);
  }

  context(host: Partial<Host> = {}): ControllerContext {
    return {
      host: { ...HOST, cwd: join(this.directory, 'cwd'), ...host },
      kube: this.#kube,
      adminKubeconfig: this.#adminKubeconfig,
      runId: this.runId,
      runDirectory: join(this.directory, 'run'),
      workDirectory: join(this.directory, 'work'),
      userAgent: 'test',
      seed: 7,
      group: undefined,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onProcess: () => Promise.resolve(),
    };
  }

  /** Writes a program, by default where sim was started, and answers its path. */
  async program(text: string, place = 'cwd/controller'): Promise<string> {
    const path = join(this.directory, place);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
    await chmod(path, 0o755);
    return path;
  }

  async logLines(): Promise<readonly string[]> {
    const text = await readFile(join(this.directory, 'run', 'logs', 'controller.log'), 'utf8');
    return text.trimEnd().split('\n');
  }

  async stop(): Promise<void> {
    for (const { pid } of await processesOf(this.runId)) HOST.processes.signal(pid, 'SIGKILL');
    await this.#kube.close();
    await this.server.stop();
    await this.#remove();
  }
}
