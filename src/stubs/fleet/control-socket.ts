import { once } from 'node:events';
import { lstat, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { systemCodeOf } from '../../sim/base/errors.ts';

/** The kernel takes 107 bytes; longer paths it refuses with a message that does not say so. */
const LONGEST_PATH = 100;

/**
 * Listens on a Unix socket that only its owner may use. A socket that a dead fleet left is taken away; a living one is
 * not. Throws an Error that names the path.
 */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  const bytes = Buffer.byteLength(path);
  if (bytes > LONGEST_PATH)
    throw new Error(`the socket path ${path} has ${bytes} bytes, and at most ${LONGEST_PATH} fit`);
  await removeStale(path);
  const umask = process.umask(0o177); // the file is made inside `listen`, before it returns
  try {
    server.listen(path);
  } finally {
    process.umask(umask);
  }
  await once(server, 'listening');
}

async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return;
  if (!found.isSocket()) throw new Error(`${path} is there already, and is no socket`);
  if (await isListening(path)) throw new Error(`another fleet listens on ${path}`);
  await rm(path, { force: true });
}

async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'ECONNREFUSED' || systemCodeOf(error) === 'ENOENT') return false;
    throw error;
  } finally {
    socket.destroy();
  }
}
