import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

export interface ListenerOptions {
  readonly address: string;
  readonly port: number;
  readonly onConnection: (socket: Socket) => void;
}

/** The socket that listens for one daemon, and the connections that came in by it. At first it is closed. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #connections = new Set<Socket>();
  #server: Server | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /**
   * Once it resolves, connections are accepted; each is handed to `onConnection`. Rejects with the system's error when
   * the address cannot be had. Does nothing when it is open.
   */
  async open(): Promise<void> {
    if (this.#server) return;
    const { address: host, port, onConnection } = this.#options;
    // As node:http makes its own: a client may close its half, and small answers must not wait.
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    server.on('connection', (socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
      onConnection(socket);
    });
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    server.on('error', (error) => {
      process.emitWarning(`a connection to ${host}:${port} was lost: ${error.message}`);
    });
    this.#server = server;
  }

  dropConnections(): void {
    for (const socket of this.#connections) socket.destroy();
  }

  /** Refuses new connections and breaks the open ones. */
  async close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    this.dropConnections();
    await closed;
  }
}
