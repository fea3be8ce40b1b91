import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { SimError } from '../../src/sim/base/errors.ts';
import type { Host } from '../../src/sim/host/host.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import { cacheOf, type Cache } from '../../src/sim/toolchain/cache.ts';
import { readPins, type Pins } from '../../src/sim/toolchain/pins.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Go's name of this machine's architecture. */
export const ARCH = process.arch === 'x64' ? 'amd64' : process.arch;

const REAL_HOST = realHost(ROOT);
const TOOLS = ['cat', 'chmod', 'dirname', 'env', 'gzip', 'sh', 'sleep', 'tar', 'touch'];

/** A folder with a home, a cache and a PATH of its own: the machine's Go and caches stay out of the test. */
export class Sandbox {
  readonly directory: string;
  readonly bin: string;
  readonly pins: Pins;
  readonly cache: Cache;
  /** The lines of progress of all calls. */
  readonly said: string[] = [];

  private constructor(directory: string, pins: Pins, cache: Cache) {
    this.directory = directory;
    this.bin = join(directory, 'bin');
    this.pins = pins;
    this.cache = cache;
  }

  static async make(): Promise<Sandbox> {
    const directory = await mkdtemp(join(tmpdir(), 'sim-toolchain-'));
    const pins = await readPins(REAL_HOST);
    const cache = cacheOf({ env: { XDG_CACHE_HOME: join(directory, 'cache') } }, pins.setHash);
    const sandbox = new Sandbox(directory, pins, cache);
    await mkdir(sandbox.bin);
    for (const tool of TOOLS) {
      const path = [`/usr/bin/${tool}`, `/bin/${tool}`].find((candidate) => existsSync(candidate));
      await symlink(path ?? tool, join(sandbox.bin, tool));
    }
    return sandbox;
  }

  host(env: Readonly<Record<string, string>> = {}): Host {
    return {
      ...REAL_HOST,
      env: {
        PATH: this.bin,
        HOME: join(this.directory, 'home'),
        XDG_CACHE_HOME: join(this.directory, 'cache'),
        ...env,
      },
    };
  }

  readonly onProgress = (line: string): void => {
    this.said.push(line);
  };

  /** Puts the stand-in for `go` on PATH, steered by files (see test/fixtures/bin/go). */
  async addGo(steering: Readonly<Record<string, string>> = {}): Promise<void> {
    await symlink(join(ROOT, 'test/fixtures/bin/go'), join(this.bin, 'go'));
    for (const [name, text] of Object.entries(steering)) await this.write(`bin/${name}`, text);
  }

  async write(path: string, text: string, mode = 0o644): Promise<string> {
    const whole = join(this.directory, path);
    await mkdir(join(whole, '..'), { recursive: true });
    await writeFile(whole, text, { mode });
    return whole;
  }

  /** What the stand-in for `go` left in one of its files. */
  left(name: string): Promise<string> {
    return readFile(join(this.bin, name), 'utf8');
  }

  /** Every file and every temporary folder of the set in the cache, relative to it. */
  async cached(): Promise<readonly string[]> {
    const entries = await readdir(this.cache.root, { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    return entries
      .filter((entry) => entry.isFile() || entry.name.startsWith('tmp-'))
      .map((entry) => join(entry.parentPath, entry.name).slice(this.cache.root.length + 1))
      .sort();
  }

  /** The details of the SIM_TOOLCHAIN error that a call throws, which must leave nothing in the cache. */
  async refusal(work: Promise<unknown>): Promise<string> {
    const error = await failureOf(work);
    expect(error).to.be.instanceOf(SimError).with.property('code', 'SIM_TOOLCHAIN');
    expect(await this.cached(), 'what is left in the cache').to.deep.equal([]);
    return (error as SimError).details.join('\n');
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** A program that says its version. */
export const script = (says: string): string => `#!/bin/sh\necho "${says}"\n`;

/** What a call throws. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
