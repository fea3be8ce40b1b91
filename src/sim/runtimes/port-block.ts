import { SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import { tryLock } from '../host/locks.ts';
import type { HeldPort } from '../host/network.ts';
import { lockPath } from '../host/state-directory.ts';

/** Ports are given out in blocks of ten, below the range from which the kernel takes ports for connections. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_760;
const BLOCK = 10;

export interface PortBlock {
  /** As many ports as were asked for. */
  readonly ports: readonly number[];
  /** Stops holding the ports, so that the programs they are for can bind them. The block stays reserved. */
  free(): Promise<void>;
  /** Gives the block back. */
  release(): Promise<void>;
}

/** Reserves ports that nobody uses on loopback. Throws SIM_ADDRESSES when there are none. */
export async function takePortBlock(
  host: Pick<Host, 'files' | 'processes' | 'clock' | 'network' | 'env'>,
  count: number,
): Promise<PortBlock> {
  for (let base = FIRST_PORT; base + BLOCK <= LAST_PORT; base += BLOCK) {
    const lock = await tryLock(host, lockPath(host, `ports-${base}`));
    if (!lock) continue;
    // Held as long as the block, so that runs whose locks we do not see keep away while its ports are free.
    const guard = await host.network.hold('127.0.0.1', base + BLOCK - 1);
    const held = guard && (await holdAll(host, base, count));
    if (held)
      return {
        ports: held.map(({ port }) => port),
        free: async () => {
          await Promise.all(held.map((port) => port.release()));
        },
        release: async () => {
          await guard.release();
          await lock.release();
        },
      };
    await guard?.release();
    await lock.release();
  }
  throw new SimError(
    'SIM_ADDRESSES',
    `no ${count} neighbouring free ports from ${FIRST_PORT} to ${LAST_PORT} on 127.0.0.1`,
    { hint: 'end other runs (`sim clean` ends dead ones) or other programs that listen there' },
  );
}

/** A listener on all addresses takes the port on loopback too: the bind finds both. */
async function holdAll(
  host: Pick<Host, 'network'>,
  base: number,
  count: number,
): Promise<readonly HeldPort[] | undefined> {
  const held: HeldPort[] = [];
  for (let i = 0; i < count; i++) {
    const port = await host.network.hold('127.0.0.1', base + i);
    if (!port) {
      await Promise.all(held.map((taken) => taken.release()));
      return undefined;
    }
    held.push(port);
  }
  return held;
}
