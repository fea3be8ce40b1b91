import { readdir, readFile, readlink } from 'node:fs/promises';

/** A listening TCP socket, as /proc/net/tcp shows it. */
interface ListeningSocket {
  readonly isWildcard: boolean;
  readonly address: string;
  readonly inode: string;
}

const LISTEN = '0A';

/**
 * Tells who listens on a port, for the message of a bind that failed. One that listens on all addresses takes the port
 * from each of them. Reads the tables of the kernel once, for any number of addresses.
 */
export async function portHolders(port: number): Promise<(address: string) => string> {
  const sockets = await socketsOn(port);
  const wildcard = sockets.find(({ isWildcard }) => isWildcard);
  const byAddress = new Map(sockets.map((socket) => [socket.address, socket]));
  const owners = await ownersOf(wildcard ? [wildcard] : sockets);
  return (address) => {
    const holder = wildcard ?? byAddress.get(address);
    const owner = owners.get(holder?.inode ?? '') ?? 'another program';
    return holder?.isWildcard
      ? `${owner} listens on port ${port} of all addresses, which takes it from each of them`
      : `${owner} listens there`;
  };
}

async function socketsOn(port: number): Promise<readonly ListeningSocket[]> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  return tables.flatMap((table) =>
    table
      .split('\n')
      .slice(1)
      .flatMap((row) => socketOn(port, row)),
  );
}

/** One row: `sl local_address rem_address st … inode`, with IPv4 addresses as hexadecimal words of the machine. */
function socketOn(port: number, row: string): ListeningSocket[] {
  const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
  const [address = '', hexPort = ''] = local.split(':');
  if (state !== LISTEN || parseInt(hexPort, 16) !== port) return [];
  const bytes = [...Buffer.from(address.slice(-8), 'hex')].reverse();
  return [{ isWildcard: /^0+$/.test(address), address: bytes.join('.'), inode }];
}

/** `nginx (pid 17)` by inode. Processes of others cannot be looked into without privileges. */
async function ownersOf(sockets: readonly ListeningSocket[]): Promise<Map<string, string>> {
  const owners = new Map<string, string>();
  const wanted = new Set(sockets.map(({ inode }) => `socket:[${inode}]`));
  if (wanted.size === 0) return owners;
  for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)))
    for (const target of await descriptorsOf(pid))
      if (wanted.has(target)) {
        const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'a program');
        owners.set(target.slice('socket:['.length, -1), `${name.trim()} (pid ${pid})`);
      }
  return owners;
}

async function descriptorsOf(pid: string): Promise<readonly string[]> {
  const directory = `/proc/${pid}/fd`;
  const names = await readdir(directory).catch(() => []);
  return Promise.all(names.map((name) => readlink(`${directory}/${name}`).catch(() => '')));
}
