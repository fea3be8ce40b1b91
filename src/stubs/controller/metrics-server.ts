import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MetricsServer {
  /** Of `/metrics`. */
  readonly url: string;
  close(): void;
}

/** Answers `/metrics` on loopback; with port 0 on one that is free. Rejects when the port is taken. */
export async function serveMetrics(port: number, text: () => string): Promise<MetricsServer> {
  const server = createServer(({ url }, response) => {
    const isKnown = url === '/metrics';
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' });
    response.end(isKnown ? text() : 'there is only /metrics\n');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
