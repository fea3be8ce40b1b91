import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { formatDuration } from '../base/duration.ts';
import { SimError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Host } from './host.ts';
import type { ProcessIdentity } from './processes.ts';

export interface Lock {
  release(): Promise<void>;
}

type LockHost = Pick<Host, 'files' | 'processes' | 'clock'>;

/** Takes the lock file, or answers undefined when a living process has it. A dead owner's lock is taken over. */
export async function tryLock(host: LockHost, path: string): Promise<Lock | undefined> {
  const owner = await host.processes.identify(host.processes.own.pid);
  await host.files.makeDirectory(dirname(path), { mode: 0o700 });
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await host.files.createExclusive(path, JSON.stringify(owner)))
      return { release: () => host.files.remove(path) };
    const text = await host.files.readTextIfAny(path);
    if (text === undefined) continue; // given up in this moment
    const other = parseOwner(text);
    if (other && (await host.processes.isRunning(other))) return undefined;
    await takeAway(host, path, text);
  }
  return undefined;
}

export interface LockOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once when the lock is not free at once. */
  readonly onWait?: () => void;
}

/** Waits for the lock. Throws SIM_LOCK when its owner keeps it longer than the time-out. */
export async function lock(host: LockHost, path: string, options: LockOptions): Promise<Lock> {
  const deadline = host.clock.now() + options.timeoutMs;
  for (let waited = false; ; waited = true) {
    options.signal?.throwIfAborted();
    const taken = await tryLock(host, path);
    if (taken) return taken;
    if (!waited) options.onWait?.();
    if (host.clock.now() > deadline)
      throw new SimError(
        'SIM_LOCK',
        `another run has held ${path} for more than ${formatDuration(options.timeoutMs)}`,
        { hint: 'wait for that run to end, or stop it and run `sim clean`' },
      );
    await host.clock.sleep(100, options.signal);
  }
}

function parseOwner(text: string): ProcessIdentity | undefined {
  try {
    const owner: unknown = JSON.parse(text);
    if (isRecord(owner) && typeof owner['pid'] === 'number')
      return owner as unknown as ProcessIdentity;
  } catch {
    // not written by us, or by a disk that was full: nobody can own it
  }
  return undefined;
}

/**
 * Removes the lock of a dead owner. Of many that find it, only the heir may: so that nobody removes what the next owner
 * has written meanwhile. A dead owner writes no more, so what is not its text any more is not the heir's to remove.
 */
async function takeAway(host: LockHost, path: string, deadText: string): Promise<void> {
  const { files, processes } = host;
  const heir = `${path}.heir-${createHash('sha256').update(deadText).digest('hex').slice(0, 16)}`;
  const own = await processes.identify(processes.own.pid);
  if (!(await files.createExclusive(heir, JSON.stringify(own)))) {
    const text = await files.readTextIfAny(heir);
    const other = text === undefined ? undefined : parseOwner(text);
    const isAlive = other !== undefined && (await processes.isRunning(other));
    if (text !== undefined && !isAlive) await files.remove(heir); // it died within this moment
    return;
  }
  if ((await files.readTextIfAny(path)) === deadText) await files.remove(path);
  await files.remove(heir);
}
