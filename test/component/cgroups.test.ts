import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import { realCgroups } from '../../src/sim/host/cgroups.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const CPU = { cpuCores: 0.1, memoryBytes: undefined };
const MEMORY = { cpuCores: undefined, memoryBytes: 500.5 };
const BOTH = { cpuCores: 0.25, memoryBytes: 1024 };

/** Directories take the place of the kernel's: it is seen what is written where, not what that does. */
describe('control groups', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let told: string[];
  beforeEach(async () => {
    directory = await temporaryDirectory();
    told = [];
  });
  afterEach(() => directory.remove());

  const at = (...path: string[]): string => join(directory.path, ...path);
  const written = (...path: string[]): Promise<string> => readFile(at(...path), 'utf8');
  const onDirectory = (path: string): Promise<void> => {
    told.push(path.slice(directory.path.length + 1));
    return Promise.resolve();
  };

  async function processOf(mounts: readonly string[], groups: readonly string[]): Promise<string> {
    await mkdir(at('proc'));
    await writeFile(at('proc', 'mountinfo'), mounts.join('\n'));
    await writeFile(at('proc', 'cgroup'), groups.join('\n'));
    return at('proc');
  }

  async function version1(): Promise<ReturnType<typeof realCgroups>> {
    const mounts = ['cpu', 'memory'].map(
      (name, i) => `2${i} 20 0:2${i} / ${at(name)} rw - cgroup cgroup rw,${name}`,
    );
    for (const name of ['cpu/own', 'memory']) await mkdir(at(name), { recursive: true });
    return realCgroups(await processOf(mounts, ['2:memory:/', '1:cpu:/own', '0::/']));
  }

  /** Ours, whose parent passes controllers on, and above it a third. */
  async function version2(passed: string): Promise<ReturnType<typeof realCgroups>> {
    await mkdir(at('top', 'slice', 'own'), { recursive: true });
    await writeFile(at('top', 'slice', 'cgroup.subtree_control'), passed);
    return realCgroups(
      await processOf([`20 1 0:2 / ${at('top')} rw - cgroup2 cgroup2 rw`], ['0::/slice/own']),
    );
  }

  describe('of version 1', () => {
    it('are one for each limit, as children of our own', async () => {
      const group = await (await version1()).create('one', BOTH, onDirectory);
      expect(group.version).to.equal(1);
      expect(group.directories).to.deep.equal([at('cpu/own/one'), at('memory/one')]);
      expect(told).to.deep.equal(['cpu/own/one', 'memory/one']);
      expect(await written('cpu/own/one/cpu.cfs_period_us')).to.equal('100000');
      expect(await written('cpu/own/one/cpu.cfs_quota_us')).to.equal('25000');
      expect(await written('memory/one/memory.limit_in_bytes')).to.equal('1024');
    });

    it('tell of throttling in nanoseconds', async () => {
      const group = await (await version1()).create('one', CPU, onDirectory);
      await writeFile(
        at('cpu/own/one/cpu.stat'),
        'nr_periods 40\nnr_throttled 12\nthrottled_time 1234500000\nwait_sum 7\n',
      );
      expect(await group.throttling()).to.deep.equal({
        periods: 40,
        throttledPeriods: 12,
        throttledMs: 1234.5,
      });
    });

    it('are refused when only one of them can be made', async () => {
      const cgroups = await version1();
      await rm(at('memory'), { recursive: true });
      const error = (await failureOf(cgroups.create('one', BOTH, onDirectory))) as SimError;
      expect(error.code).to.equal('SIM_LIMITS');
      expect(error.message).to.match(/^memory cannot be limited/);
      expect(error.details).to.have.length(1);
      expect(error.details[0]).to.match(/^ENOENT/);
    });
  });

  describe('of version 2', () => {
    it('are one for all limits, in the first ancestor that passes them on', async () => {
      const group = await (
        await version2('cpuset cpu memory pids\n')
      ).create('one', BOTH, onDirectory);
      expect(group.version).to.equal(2);
      expect(group.directories).to.deep.equal([at('top/slice/one')]);
      expect(told).to.deep.equal(['top/slice/one']);
      expect(await written('top/slice/one/cpu.max')).to.equal('25000 100000');
      expect(await written('top/slice/one/memory.max')).to.equal('1024');
      expect(await written('top/slice/cgroup.subtree_control')).to.equal(
        'cpuset cpu memory pids\n',
      );
    });

    it('ask an ancestor to pass on what it does not yet', async () => {
      const group = await (await version2('cpu\n')).create('one', MEMORY, onDirectory);
      expect(await written('top/slice/cgroup.subtree_control')).to.equal('+memory');
      expect(await written('top/slice/one/memory.max')).to.equal('500');
      expect(await group.throttling()).to.equal(undefined);
    });

    it('tell of throttling in microseconds, and nothing once they are gone', async () => {
      const group = await (await version2('cpu')).create('one', CPU, onDirectory);
      const stat = at('top/slice/one/cpu.stat');
      await writeFile(stat, 'usage_usec 9\nnr_periods 4\nnr_throttled 1\nthrottled_usec 2500\n');
      expect(await group.throttling()).to.deep.equal({
        periods: 4,
        throttledPeriods: 1,
        throttledMs: 2.5,
      });
      await rm(stat);
      expect(await group.throttling()).to.equal(undefined);
    });

    it('are refused with the reason of every place, and with what would help', async () => {
      const cgroups = await version2('cpu');
      await writeFile(at('top/slice/one'), 'in the way');
      const error = (await failureOf(cgroups.create('one', CPU, onDirectory))) as SimError;
      expect(error.code).to.equal('SIM_LIMITS');
      expect(error.message).to.equal('cpu cannot be limited: no control group can be made');
      expect(error.details.map((line) => line.split(':')[0])).to.deep.equal([
        'ENOENT',
        'EEXIST',
        'ENOENT',
      ]);
      expect(error.hint).to.include('systemd-run');
    });
  });

  it('are refused where no hierarchy is mounted', async () => {
    const cgroups = realCgroups(await processOf([], []));
    const error = (await failureOf(cgroups.create('one', CPU, onDirectory))) as SimError;
    expect(error.message).to.equal('no control groups for cpu are mounted here');
  });

  it('are removed once, and are none of ours to remove again', async () => {
    await mkdir(at('group'));
    const cgroups = realCgroups();
    expect(await cgroups.remove(at('group'))).to.equal(true);
    expect(await cgroups.remove(at('group'))).to.equal(true);
  });
});
