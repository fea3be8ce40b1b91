import { readFile, readdir, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { systemCodeOf } from '../base/errors.ts';

export interface Listener {
  /** `127.0.0.1`, `0.0.0.0`, `::` …, as the kernel holds it. */
  readonly address: string;
  readonly port: number;
  readonly inode: string;
}

/** A port that is held until it is released, so that nobody else takes it meanwhile. */
export interface HeldPort {
  readonly port: number;
  release(): Promise<void>;
}

/** Sockets of this machine. */
export interface Network {
  /** Binds the address; undefined when somebody else has it. Port 0 takes any free one. */
  hold(address: string, port: number): Promise<HeldPort | undefined>;
  /** All listening TCP sockets of this network namespace. */
  listeners(): Promise<readonly Listener[]>;
  /** The listening TCP sockets of one process. */
  listenersOf(pid: number): Promise<readonly Listener[]>;
}

export const realNetwork: Network = {
  hold: (address, port) =>
    new Promise((resolve, reject) => {
      const server = createServer((socket) => socket.destroy());
      server.once('error', (error) => {
        const code = systemCodeOf(error);
        if (code === 'EADDRINUSE' || code === 'EACCES') resolve(undefined);
        else reject(error);
      });
      server.listen({ host: address, port, exclusive: true }, () => {
        server.unref();
        const bound = server.address();
        resolve({
          port: typeof bound === 'object' && bound ? bound.port : port,
          release: () =>
            new Promise((released) => {
              server.close(() => {
                released();
              });
            }),
        });
      });
    }),
  listeners,
  async listenersOf(pid) {
    const inodes = new Set(await socketInodes(pid));
    return (await listeners()).filter((listener) => inodes.has(listener.inode));
  },
};

async function listeners(): Promise<readonly Listener[]> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  return tables.flatMap((table) => table.split('\n').slice(1).flatMap(parseListener));
}

const LISTEN_STATE = '0A';

/** One row of /proc/net/tcp: `sl local_address rem_address st … inode`, addresses in host byte order. */
function parseListener(row: string): Listener[] {
  const fields = row.trim().split(/\s+/);
  const [local, state, inode] = [fields[1], fields[3], fields[9]];
  if (local === undefined || inode === undefined || state !== LISTEN_STATE) return [];
  const [address = '', port = ''] = local.split(':');
  return [{ address: parseAddress(address), port: parseInt(port, 16), inode }];
}

function parseAddress(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => [...Buffer.from(word, 'hex')].reverse());
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.every((byte) => byte === 0)) return '::';
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff;
  if (mapped) return bytes.slice(12).join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  return groups.join(':');
}

async function socketInodes(pid: number): Promise<readonly string[]> {
  const directory = `/proc/${pid}/fd`;
  const fds = await readdir(directory).catch(() => []);
  const targets = await Promise.all(
    fds.map((fd) => readlink(`${directory}/${fd}`).catch(() => '')),
  );
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}
