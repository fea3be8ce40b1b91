import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { controlApp } from '../../src/stubs/fleet/control-app.ts';
import { ControlServer } from '../../src/stubs/fleet/control-server.ts';
import { temporaryDirectory } from './kubeconfig.ts';
import type { TestFleet } from './test-fleet.ts';

type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;

/** The control API of a fleet inside the test's own process, on a real socket. */
export class ControlApi {
  readonly socketPath: string;
  readonly #fleet: TestFleet;
  readonly #directory: Directory;
  #server: ControlServer | undefined;

  private constructor(fleet: TestFleet, directory: Directory) {
    this.#fleet = fleet;
    this.#directory = directory;
    this.socketPath = join(directory.path, 'fleet.sock');
  }

  static async start(fleet: TestFleet): Promise<ControlApi> {
    const api = new ControlApi(fleet, await temporaryDirectory());
    await api.listen();
    return api;
  }

  async listen(): Promise<void> {
    this.#server = new ControlServer(controlApp(this.#fleet.fleet, this.#fleet.log));
    await this.#server.listen(this.socketPath);
  }

  /** Breaks all connections and refuses new ones. */
  async hangUp(): Promise<void> {
    await this.#server?.close(0);
    this.#server = undefined;
  }

  /** Sends a request. A body that is no string is sent as JSON. */
  async send(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const response = await this.open(method, path, body);
    const answer = await textOf(response);
    const isJson = response.headers['content-type']?.includes('/json') === true;
    return {
      status: response.statusCode ?? 0,
      body: isJson ? (JSON.parse(answer) as unknown) : answer,
    };
  }

  /** The same, without waiting for the body of the answer. */
  async open(method: string, path: string, body?: unknown): Promise<IncomingMessage> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const headers = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
    const call = request({ socketPath: this.socketPath, method, path, headers });
    call.end(text);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return response;
  }

  async stop(): Promise<void> {
    await this.hangUp();
    await this.#directory.remove();
  }
}
