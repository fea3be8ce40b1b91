import { expect } from 'chai';
import { realHost } from '../../src/sim/host/real-host.ts';
import type { Host } from '../../src/sim/host/host.ts';
import { takePortBlock } from '../../src/sim/runtimes/port-block.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { ROOT } from '../helpers/sim-process.ts';

describe('a block of ports', () => {
  let homes: Awaited<ReturnType<typeof temporaryDirectory>>[];
  beforeEach(async () => {
    homes = [await temporaryDirectory(), await temporaryDirectory()];
  });
  afterEach(() => Promise.all(homes.map((home) => home.remove())));

  const hostOf = (i: number): Host => {
    const host = realHost(ROOT);
    return { ...host, env: { ...host.env, XDG_STATE_HOME: homes[i]?.path } };
  };

  it('is the own of one run, also while its ports are free and for runs that see none of its locks', async () => {
    const first = await takePortBlock(hostOf(0), 3);
    expect(first.ports).to.have.length(3);
    await first.free();
    const second = await takePortBlock(hostOf(1), 3);
    expect(second.ports).not.to.have.members([...first.ports]);
    await second.free();
    await second.release();
    await first.release();
  });

  it('can be taken again once it was given back', async () => {
    const first = await takePortBlock(hostOf(0), 2);
    await first.free();
    await first.release();
    const again = await takePortBlock(hostOf(0), 2);
    expect(again.ports).to.deep.equal(first.ports);
    await again.free();
    await again.release();
  });
});
