import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** The socket that listens for one daemon, and the connections that came in by it. */
export class Listener {
  readonly #server: Server;
  readonly #connections = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  /**
   * Once it resolves, connections are accepted; each is handed to `onConnection`. Rejects with the system's error when
   * the address cannot be had.
   */
  static async open(
    address: string,
    port: number,
    onConnection: (socket: Socket) => void,
  ): Promise<Listener> {
    // As node:http makes its own: a client may close its half, and small answers must not wait.
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    const listener = new Listener(server);
    server.on('connection', (socket) => {
      listener.#connections.add(socket);
      socket.once('close', () => listener.#connections.delete(socket));
      onConnection(socket);
    });
    server.listen({ host: address, port, exclusive: true });
    await once(server, 'listening');
    server.on('error', (error) => {
      process.emitWarning(`a connection to ${address}:${port} was lost: ${error.message}`);
    });
    return listener;
  }

  dropConnections(): void {
    for (const socket of this.#connections) socket.destroy();
  }

  /** Refuses new connections and breaks the open ones. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.dropConnections();
    await closed;
  }
}
