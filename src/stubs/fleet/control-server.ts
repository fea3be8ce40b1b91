import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { monotonicClock } from '../monotonic-clock.ts';
import { listenOnSocket } from './control-socket.ts';

/** The server of the control API. */
export class ControlServer {
  readonly #server: Server;
  readonly #open = new Set<ServerResponse>();

  constructor(app: RequestListener) {
    // Without a limit for idle connections: one that ends while a request is on its way would look like a dead fleet.
    this.#server = createServer({ keepAliveTimeout: 0 }, app);
    this.#server.on('request', (_request, response) => {
      this.#open.add(response);
      response.once('close', () => this.#open.delete(response));
    });
  }

  listen(path: string): Promise<void> {
    return listenOnSocket(this.#server, path);
  }

  /** Takes the socket file away at once, and gives answers that are under way so long to end. */
  async close(timeoutMs: number): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    const answered = Promise.all([...this.#open].map((response) => once(response, 'close')));
    await Promise.race([answered, monotonicClock.sleep(timeoutMs)]);
    this.#server.closeAllConnections();
    await closed;
  }
}
