import { createHash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server in place of dl.k8s.io and GitHub. It answers 404 for what it was not given. */
export class ReleaseMirror {
  readonly asked: string[] = [];
  readonly #answers = new Map<string, RequestListener>();
  readonly #server: Server;
  /** Stays the same after `close`: then nobody answers there. */
  url = '';

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '';
      this.asked.push(path);
      const answer = this.#answers.get(path);
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  answer(path: string, listener: RequestListener): void {
    this.#answers.set(path, listener);
  }

  /** A file, and its checksum as `<path>.sha256` the way Kubernetes publishes it. */
  publish(
    path: string,
    content: string | Buffer,
    options: { readonly delayMs?: number } = {},
  ): void {
    this.answer(path, (_, response) => {
      setTimeout(() => response.end(content), options.delayMs ?? 0);
    });
    this.answer(`${path}.sha256`, (_, response) => response.end(sha256(content)));
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }
}

export const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');
