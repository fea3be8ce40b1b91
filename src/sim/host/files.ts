import type { Dirent } from 'node:fs';
import {
  chmod,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { dirname, resolve } from 'node:path';
import { systemCodeOf } from '../base/errors.ts';

export interface FileStat {
  readonly isDirectory: boolean;
  readonly isExecutable: boolean;
  readonly sizeBytes: number;
}

/** An open file that only grows. Every method rejects with the system's error, for example ENOSPC. */
export interface AppendFile {
  append(content: string | Uint8Array): Promise<void>;
  /** Waits until the disk has what was appended. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The part of the file system that sim uses. Methods reject with the system's errors unless they say otherwise. */
export interface Files {
  readText(path: string): Promise<string>;
  /** The text, or undefined when there is no such file. */
  readTextIfAny(path: string): Promise<string | undefined>;
  readBytes(path: string): Promise<Buffer>;
  /** The lines of a file, one after the other, without holding all of it. */
  lines(path: string): AsyncIterable<string>;
  /** Writes to a temporary name beside the target and renames: readers never see half a file. */
  writeText(path: string, text: string, options?: { readonly mode?: number }): Promise<void>;
  /** Creates the file, whole, or answers false when it was already there. */
  createExclusive(path: string, text: string): Promise<boolean>;
  openAppend(path: string): Promise<AppendFile>;
  /** Undefined when there is nothing at that path. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The names in a directory, sorted; empty when there is no such directory. */
  list(path: string): Promise<readonly string[]>;
  makeDirectory(path: string, options?: { readonly mode?: number }): Promise<void>;
  makeTemporaryDirectory(prefix: string): Promise<string>;
  /** Removes a file or a whole directory; nothing happens when it is not there. */
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  /** Where a symbolic link points; undefined when it is none or cannot be read. */
  linkTarget(path: string): Promise<string | undefined>;
  /** Bytes a user without privileges could still write on the file system that holds the path. */
  freeBytes(path: string): Promise<number>;
}

let created = 0;

export const realFiles: Files = {
  readText: (path) => readFile(path, 'utf8'),
  readTextIfAny: (path) => ifAny(readFile(path, 'utf8')),
  readBytes: (path) => readFile(path),
  lines: (path) => createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity }),
  async writeText(path, text, options) {
    const temporary = `${path}.tmp`;
    try {
      await writeFile(temporary, text, { mode: options?.mode ?? 0o666 });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  },
  async createExclusive(path, text) {
    // A link is made at once or not at all, so nobody ever reads a file that is still being written.
    const temporary = `${path}.${process.pid}-${++created}.new`; // two callers of one process, too
    try {
      await writeFile(temporary, text, { mode: 0o600 });
      await link(temporary, path);
      return true;
    } catch (error) {
      if (systemCodeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  },
  async openAppend(path) {
    const file = await open(path, 'a');
    return {
      append: async (content) => {
        await file.appendFile(content);
      },
      sync: () => file.datasync(),
      close: () => file.close(),
    };
  },
  async stat(path) {
    const found = await ifAny(stat(path));
    return (
      found && {
        isDirectory: found.isDirectory(),
        isExecutable: found.isFile() && (found.mode & 0o111) !== 0,
        sizeBytes: found.size,
      }
    );
  },
  async list(path) {
    const entries: Dirent[] = (await ifAny(readdir(path, { withFileTypes: true }))) ?? [];
    return entries.map((entry) => entry.name).sort();
  },
  makeDirectory: (path, options) => makeLevels(path, options?.mode ?? 0o777),
  makeTemporaryDirectory: async (prefix) => {
    await makeLevels(dirname(prefix), 0o777);
    return mkdtemp(prefix);
  },
  remove: (path) => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  rename,
  copy: copyFile,
  setMode: chmod,
  linkTarget: (path) => readlink(path).catch(() => undefined),
  async freeBytes(path) {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
};

/**
 * Makes a directory and those above it that are missing. Not by mkdir's own `recursive`, which tries for ever, and
 * cannot be stopped, where a file system such as /proc answers ENOENT below a directory that is there.
 */
async function makeLevels(path: string, mode: number): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); !(await ifAny(stat(at))); at = dirname(at)) missing.unshift(at);
  if (missing.length === 0 && !(await stat(path)).isDirectory()) missing.push(path); // mkdir says why not
  for (const level of missing) await makeLevel(level, mode);
}

async function makeLevel(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'EEXIST' && (await ifAny(stat(path)))?.isDirectory() === true) return; // perhaps somebody else's
    if (code !== 'ENOENT') throw error;
    const reason = `cannot make ${path}: nothing can be made in ${dirname(path)} (ENOENT)`;
    throw Object.assign(new Error(reason, { cause: error }), { code });
  }
}

async function ifAny<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
