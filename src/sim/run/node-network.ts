import { SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import { tryLock } from '../host/locks.ts';
import { lockPath } from '../host/state-directory.ts';

const FIRST = 64;
const LAST = 250;
/** Held for as long as the run lives, so that runs of other users, whose locks we do not see, keep away. */
const GUARD_PORT = 10_999;

export interface NodeNetwork {
  /** `127.B.0.0/16` */
  readonly cidr: string;
  release(): Promise<void>;
}

/** Takes a /16 of loopback addresses for the run's nodes. Throws SIM_ADDRESSES when all are taken. */
export async function takeNodeNetwork(
  host: Pick<Host, 'files' | 'processes' | 'clock' | 'network' | 'env'>,
): Promise<NodeNetwork> {
  for (let b = FIRST; b <= LAST; b++) {
    const lock = await tryLock(host, lockPath(host, `nodes-127.${b}`));
    if (!lock) continue;
    const guard = await host.network.hold(`127.${b}.255.254`, GUARD_PORT);
    if (guard)
      return {
        cidr: `127.${b}.0.0/16`,
        release: async () => {
          await guard.release();
          await lock.release();
        },
      };
    await lock.release();
  }
  throw new SimError(
    'SIM_ADDRESSES',
    `all loopback networks from 127.${FIRST}.0.0/16 to 127.${LAST}.0.0/16 are taken`,
    {
      hint: `a program that listens on port ${GUARD_PORT} of all addresses blocks them too; end it, or end other runs`,
    },
  );
}
