import { Agent, request } from 'undici';
import * as z from 'zod';
import type { Mutation } from './mutation.ts';
import { interfaceShape, type HostNic } from './objects.ts';

const TIMEOUT_MS = 10_000;
const nics = z.array(interfaceShape);
const reply = z.object({ success: z.boolean(), msg: z.string() });

/** HTTP to the daemons of the nodes: `http://<hostIP>:<port>`. Every call rejects when a daemon does not do its part. */
export class DaemonClient {
  readonly #port: number;
  readonly #mutation: Pick<Mutation, 'heard'>;
  readonly #agent = new Agent({
    connections: 1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connect: { timeout: TIMEOUT_MS },
    keepAliveTimeout: 1000,
  });

  constructor(port: number, mutation: Pick<Mutation, 'heard'>) {
    this.#port = port;
    this.#mutation = mutation;
  }

  async interfaces(hostIP: string): Promise<readonly HostNic[]> {
    return nics.parse(JSON.parse(await this.#send(hostIP, 'GET', '/interface')));
  }

  async addRoutes(hostIP: string, body: string): Promise<void> {
    const { success, msg } = reply.parse(
      JSON.parse(await this.#send(hostIP, 'POST', '/addl3', body)),
    );
    if (!success) throw new Error(`the daemon of ${hostIP} refused the routes: ${msg}`);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #send(
    hostIP: string,
    method: 'GET' | 'POST',
    path: string,
    body?: string,
  ): Promise<string> {
    const response = await request(`http://${hostIP}:${this.#port}${path}`, {
      method,
      dispatcher: this.#agent,
      body: body ?? null,
      headers: body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' },
    });
    const text = await response.body.text();
    this.#mutation.heard(hostIP, response.statusCode !== 200);
    if (response.statusCode !== 200)
      throw new Error(
        `${method} ${path} on ${hostIP}: ${response.statusCode} ${text.slice(0, 200)}`,
      );
    return text;
  }
}
