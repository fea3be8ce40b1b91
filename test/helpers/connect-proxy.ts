import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { endServer, listenOnLoopback, urlOf } from './loopback-server.ts';

/** A small HTTP proxy that knows CONNECT and counts the tunnels it makes. */
export class ConnectProxy {
  /** Where each tunnel led. */
  readonly tunnels: string[] = [];
  /** How many of the next tunnels are refused with 502. */
  refusals = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((_, response) => response.writeHead(405).end());
    this.#server.on('connect', ({ url }, client: Socket) => {
      this.#tunnel(url ?? '', client);
    });
  }

  static async start(): Promise<ConnectProxy> {
    const proxy = new ConnectProxy();
    await listenOnLoopback(proxy.#server);
    return proxy;
  }

  get url(): string {
    return urlOf(this.#server);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await endServer(this.#server);
  }

  #tunnel(target: string, client: Socket): void {
    this.#keep(client);
    if (this.refusals > 0) {
      this.refusals--;
      client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    this.tunnels.push(target);
    const { hostname, port } = new URL(`http://${target}`);
    const server = this.#keep(connect(Number(port), hostname));
    server.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(server).pipe(client);
    });
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => undefined); // the other side hears of it by the close
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }
}
