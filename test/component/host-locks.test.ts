import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { SimError } from '../../src/sim/base/errors.ts';
import { lock, tryLock } from '../../src/sim/host/locks.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import { ROOT } from '../helpers/sim-process.ts';

const host = realHost(ROOT);

describe('a lock', function () {
  this.timeout(30_000);
  let directory: string;
  let path: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sim-lock-'));
    path = join(directory, 'a.lock');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  });

  async function takeInAnotherProcess(): Promise<ChildProcess> {
    const script = join(ROOT, 'test/fixtures/host/take-lock.ts');
    const child = spawn(process.execPath, ['--import', 'tsx/esm', script, path], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    expect(line).to.equal('taken');
    return child;
  }

  it('is given to one, and after its release to the next', async () => {
    const first = await tryLock(host, path);
    expect(await tryLock(host, path)).to.equal(undefined);
    await first?.release();
    expect(await tryLock(host, path)).not.to.equal(undefined);
  });

  it('of a living process is waited for, and named when it is not given up in time', async () => {
    await takeInAnotherProcess();
    let waits = 0;
    const error: unknown = await lock(host, path, { timeoutMs: 300, onWait: () => waits++ }).catch(
      (reason: unknown) => reason,
    );
    expect(waits).to.equal(1);
    expect(error).to.be.instanceOf(SimError).with.property('code', 'SIM_LOCK');
    expect((error as SimError).message).to.include(path);
  });

  it('of a process that was killed is taken over', async () => {
    const owner = await takeInAnotherProcess();
    expect(await tryLock(host, path)).to.equal(undefined);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(await tryLock(host, path)).not.to.equal(undefined);
  });

  it('that a dead owner left is taken over by one only, however many try at once', async () => {
    for (let round = 0; round < 40; round++) {
      await writeFile(
        path,
        JSON.stringify({ pid: 999_999, startTicks: 1, bootId: 'x', command: 'dead' }),
      );
      const taken = await Promise.all(Array.from({ length: 6 }, () => tryLock(host, path)));
      const owners = taken.filter((one) => one !== undefined);
      expect(owners.length, `round ${round}`).to.equal(1);
      await owners[0]?.release();
    }
    expect(await readdir(directory)).to.deep.equal([]);
  });

  it('whose file says nothing belongs to nobody', async () => {
    await writeFile(path, '');
    expect(await tryLock(host, path)).not.to.equal(undefined);
  });
});
